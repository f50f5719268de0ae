use super::*;
use crate::model::timeline::{fixture, point::Class, subject::Subject};

struct Stage {
    lanes: Lanes,
    subjects: Subjects,
    points: Vec<Point>,
}

impl Stage {
    /// A Deployment `web` with two pods through a ReplicaSet, a Node, and a pod of another namespace.
    fn new(grouping: Grouping) -> Stage {
        let (mut lanes, mut subjects) = (Lanes::default(), Subjects::default());
        lanes.clear(grouping, false);
        let place = |subjects: &mut Subjects, kind: &str, space: &str, name: &str| {
            subjects.place(Subject::new(kind, space, name))
        };
        let deployment = place(&mut subjects, "Deployment", "shop", "web");
        let set = place(&mut subjects, "ReplicaSet", "shop", "web-1");
        let pods = ["web-1-a", "web-1-b"].map(|name| place(&mut subjects, "Pod", "shop", name));
        let node = place(&mut subjects, "Node", "", "n1");
        let other = place(&mut subjects, "Pod", "data", "db-0");
        subjects.adopt(set, deployment);
        assert!(pods.iter().all(|pod| subjects.adopt(*pod, set)));
        let script = [
            (pods[0], 100, Status::Activity, "Pulled"),
            (pods[1], 200, Status::Failure, "BackOff"),
            (deployment, 50, Status::Activity, "ScalingReplicaSet"),
            (node, 900_000, Status::Activity, "NodeReady"),
            (other, 300, Status::Warning, "Unhealthy"),
            (pods[0], 150, Status::Activity, "Pulled"),
        ];
        let points: Vec<Point> = script
            .into_iter()
            .map(|(subject, time, status, reason)| Point {
                subject,
                reason: reason.into(),
                ..fixture::point(time, Class::Event, status)
            })
            .collect();
        points.iter().zip(0..).for_each(|(point, id)| lanes.add(&[(id, point)], &subjects));
        Stage { lanes, subjects, points }
    }

    fn told(&mut self, sort: LaneSort) -> String {
        self.lanes.arrange(sort, 0, 1_000_000);
        let told = self.lanes.rows().iter().map(|row| {
            let lane = self.lanes.get(row.lane);
            let name = if lane.key.name().is_empty() { "-" } else { lane.key.name() };
            format!("{}{name}:{}", ">".repeat(lane.depth), lane.shown(row.is_open).len())
        });
        told.collect::<Vec<_>>().join(" ")
    }

    fn open(&mut self, name: &str) {
        let row = self.lanes.rows().iter().find(|row| self.lanes.get(row.lane).key.name() == name).unwrap();
        assert!(self.lanes.toggle(row.lane));
    }
}

#[test]
fn a_closed_lane_shows_its_whole_family_and_an_open_one_its_own() {
    let mut stage = Stage::new(Grouping::Owner);
    assert_eq!(stage.told(LaneSort::Importance), "web:4 db-0:1 n1:1");
    stage.open("web");
    assert_eq!(stage.told(LaneSort::Importance), "web:1 >web-1:3 db-0:1 n1:1");
    stage.open("web-1");
    assert_eq!(stage.told(LaneSort::Importance), "web:1 >web-1:0 >>web-1-b:1 >>web-1-a:2 db-0:1 n1:1");
    stage.open("web");
    assert_eq!(stage.told(LaneSort::Importance), "web:4 db-0:1 n1:1");
}

#[test]
fn lanes_are_sorted_as_asked() {
    let mut stage = Stage::new(Grouping::Owner);
    assert_eq!(stage.told(LaneSort::Recency), "n1:1 db-0:1 web:4");
    assert_eq!(stage.told(LaneSort::Name), "web:4 n1:1 db-0:1");
}

#[test]
fn lanes_can_be_namespaces_and_reasons() {
    let mut stage = Stage::new(Grouping::Namespace);
    assert_eq!(stage.told(LaneSort::Name), "-:1 data:1 shop:4");
    stage.open("shop");
    assert_eq!(stage.told(LaneSort::Importance), "shop:0 >web-1-b:1 >web:1 >web-1-a:2 data:1 -:1");
    let mut stage = Stage::new(Grouping::Reason);
    assert_eq!(stage.told(LaneSort::Name), "BackOff:1 NodeReady:1 Pulled:2 ScalingReplicaSet:1 Unhealthy:1");
}

#[test]
fn a_lane_with_nothing_in_the_range_has_no_row() {
    let mut stage = Stage::new(Grouping::Owner);
    stage.lanes.arrange(LaneSort::Name, 160, 250);
    assert_eq!(stage.lanes.rows().len(), 1);
}

#[test]
fn a_point_is_found_in_the_row_that_shows_it() {
    let mut stage = Stage::new(Grouping::Owner);
    stage.told(LaneSort::Name);
    assert_eq!(stage.lanes.row_of(&stage.points[0]), Some(0), "in the closed lane around it");
    stage.open("web");
    stage.told(LaneSort::Name);
    assert_eq!(stage.lanes.row_of(&stage.points[0]), Some(1));
    assert_eq!(stage.lanes.row_of(&stage.points[2]), Some(0));
}

#[test]
fn what_is_open_stays_open_when_lanes_are_made_anew() {
    let mut stage = Stage::new(Grouping::Owner);
    stage.told(LaneSort::Name);
    stage.open("web");
    stage.lanes.clear(Grouping::Owner, false);
    let points = std::mem::take(&mut stage.points);
    points.iter().zip(0..).for_each(|(point, id)| stage.lanes.add(&[(id, point)], &stage.subjects));
    assert_eq!(stage.told(LaneSort::Name), "web:1 >web-1:3 n1:1 db-0:1");
}

/// A batch in which a lane gets late points and its first child at once.
#[test]
fn a_family_has_the_late_points_of_its_head() {
    let (mut lanes, mut subjects) = (Lanes::default(), Subjects::default());
    let deployment = subjects.place(Subject::new("Deployment", "shop", "web"));
    let set = subjects.place(Subject::new("ReplicaSet", "shop", "web-1"));
    subjects.adopt(set, deployment);
    let at = |subject, time| Point { subject, ..fixture::point(time, Class::Event, Status::Activity) };
    let points = [at(deployment, 100), at(deployment, 50), at(set, 70), at(deployment, 200)];
    lanes.add(&[(0, &points[0])], &subjects);
    lanes.add(&[(1, &points[1]), (2, &points[2]), (3, &points[3])], &subjects);
    lanes.arrange(LaneSort::Name, 0, 1000);
    let head = lanes.get(lanes.rows()[0].lane);
    assert_eq!((head.all().ids(), head.shown(true).ids()), ([1, 2, 0, 3].as_slice(), [1, 0, 3].as_slice()));
}
