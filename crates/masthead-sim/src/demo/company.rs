//! What the company of the demo runs.

/// One workload.
#[derive(Debug)]
pub(super) struct App {
    pub(super) namespace: &'static str,
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) image: &'static str,
    pub(super) port: u16,
    /// CPU and memory that each pod asks for.
    pub(super) asks: (&'static str, &'static str),
    /// Since how many hours it runs.
    pub(super) age: u64,
    pub(super) twist: Twist,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Deployment(u64),
    /// With a volume of this size each.
    StatefulSet(u64, &'static str),
    DaemonSet,
}

/// What is special about one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twist {
    Plain,
    /// Scaled by an autoscaler between two sizes.
    Scaled(u64, u64),
    /// Its containers do this, and were started again so often.
    Behaves(&'static str, u64),
    /// A rollout to this image does not get on.
    Stuck(&'static str),
    /// Fits on no node.
    Unplaced,
}

use Shape::{DaemonSet, Deployment, StatefulSet};
use Twist::{Behaves, Plain, Scaled, Stuck, Unplaced};

pub(super) const NAMESPACES: [&str; 9] =
    ["cert-manager", "ci", "data", "ingress-nginx", "monitoring", "payments", "search", "shop", "staging"];

const SMALL: (&str, &str) = ("50m", "64Mi");
const MEDIUM: (&str, &str) = ("150m", "256Mi");
const LARGE: (&str, &str) = ("500m", "1Gi");

type Row = (&'static str, Shape, &'static str, u16, (&'static str, &'static str), u64, Twist);

const fn app(namespace: &'static str, (name, shape, image, port, asks, age, twist): Row) -> App {
    App { namespace, name, shape, image, port, asks, age, twist }
}

pub(super) const APPS: &[App] = &[
    app("kube-system", ("coredns", Deployment(2), "registry.k8s.io/coredns/coredns:v1.12.1", 53, SMALL, 2160, Plain)),
    app("kube-system", ("kube-proxy", DaemonSet, "registry.k8s.io/kube-proxy:v1.36.3", 10249, SMALL, 2160, Plain)),
    app("kube-system", ("cilium", DaemonSet, "quay.io/cilium/cilium:v1.18.2", 9962, SMALL, 2160, Plain)),
    app(
        "kube-system",
        ("cilium-operator", Deployment(2), "quay.io/cilium/operator-generic:v1.18.2", 9963, SMALL, 2160, Plain),
    ),
    app(
        "kube-system",
        (
            "metrics-server",
            Deployment(1),
            "registry.k8s.io/metrics-server/metrics-server:v0.8.0",
            10250,
            SMALL,
            1400,
            Plain,
        ),
    ),
    app(
        "kube-system",
        (
            "ebs-csi-node",
            DaemonSet,
            "public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.50.1",
            9808,
            SMALL,
            900,
            Plain,
        ),
    ),
    app(
        "kube-system",
        (
            "ebs-csi-controller",
            Deployment(2),
            "public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.50.1",
            9808,
            SMALL,
            900,
            Plain,
        ),
    ),
    app(
        "ingress-nginx",
        (
            "ingress-nginx-controller",
            Deployment(3),
            "registry.k8s.io/ingress-nginx/controller:v1.13.3",
            443,
            MEDIUM,
            720,
            Plain,
        ),
    ),
    app(
        "cert-manager",
        ("cert-manager", Deployment(1), "quay.io/jetstack/cert-manager-controller:v1.19.1", 9402, SMALL, 700, Plain),
    ),
    app(
        "cert-manager",
        (
            "cert-manager-webhook",
            Deployment(2),
            "quay.io/jetstack/cert-manager-webhook:v1.19.1",
            10250,
            SMALL,
            700,
            Plain,
        ),
    ),
    app(
        "cert-manager",
        (
            "cert-manager-cainjector",
            Deployment(1),
            "quay.io/jetstack/cert-manager-cainjector:v1.19.1",
            9402,
            SMALL,
            700,
            Plain,
        ),
    ),
    app(
        "monitoring",
        ("prometheus", StatefulSet(2, "100Gi"), "quay.io/prometheus/prometheus:v3.5.0", 9090, LARGE, 500, Plain),
    ),
    app(
        "monitoring",
        ("alertmanager", StatefulSet(3, "5Gi"), "quay.io/prometheus/alertmanager:v0.28.1", 9093, SMALL, 500, Plain),
    ),
    app("monitoring", ("grafana", Deployment(1), "docker.io/grafana/grafana:12.2.0", 3000, MEDIUM, 380, Plain)),
    app("monitoring", ("node-exporter", DaemonSet, "quay.io/prometheus/node-exporter:v1.9.1", 9100, SMALL, 500, Plain)),
    app(
        "monitoring",
        (
            "kube-state-metrics",
            Deployment(1),
            "registry.k8s.io/kube-state-metrics/kube-state-metrics:v2.17.0",
            8080,
            SMALL,
            500,
            Plain,
        ),
    ),
    app("monitoring", ("loki", StatefulSet(3, "50Gi"), "docker.io/grafana/loki:3.5.5", 3100, MEDIUM, 420, Plain)),
    app("monitoring", ("promtail", DaemonSet, "docker.io/grafana/promtail:3.5.5", 3101, SMALL, 420, Plain)),
    app(
        "monitoring",
        (
            "otel-collector",
            Deployment(2),
            "docker.io/otel/opentelemetry-collector-contrib:0.137.0",
            4317,
            MEDIUM,
            300,
            Plain,
        ),
    ),
    app(
        "shop",
        ("storefront", Deployment(8), "registry.acme.io/shop/storefront:2.41.0", 8080, MEDIUM, 52, Scaled(6, 14)),
    ),
    app("shop", ("checkout", Deployment(5), "registry.acme.io/shop/checkout:1.18.3", 8080, MEDIUM, 29, Scaled(4, 10))),
    app("shop", ("catalog", Deployment(4), "registry.acme.io/shop/catalog:5.2.1", 9090, MEDIUM, 120, Plain)),
    app("shop", ("cart", Deployment(4), "registry.acme.io/shop/cart:3.0.7", 8080, SMALL, 75, Plain)),
    app(
        "shop",
        (
            "recommendations",
            Deployment(3),
            "registry.acme.io/shop/recommendations:0.19.2",
            8080,
            LARGE,
            6,
            Behaves("oom 14m", 7),
        ),
    ),
    app("shop", ("reviews", Deployment(3), "registry.acme.io/shop/reviews:1.7.0", 8080, SMALL, 200, Plain)),
    app("shop", ("images", Deployment(4), "registry.acme.io/shop/images:4.4.1", 8080, MEDIUM, 330, Plain)),
    app(
        "shop",
        (
            "promotions",
            Deployment(2),
            "registry.acme.io/shop/promotions:2.2.0",
            8080,
            SMALL,
            18,
            Stuck("registry.acme.io/shop/promotions:2.3.0-rc1"),
        ),
    ),
    app("shop", ("redis", StatefulSet(3, "8Gi"), "docker.io/library/redis:8.2-alpine", 6379, MEDIUM, 600, Plain)),
    app("shop", ("postgres", StatefulSet(3, "50Gi"), "docker.io/library/postgres:17.6", 5432, LARGE, 900, Plain)),
    app(
        "payments",
        ("payments-api", Deployment(6), "registry.acme.io/pay/payments:3.7.0", 8443, MEDIUM, 96, Scaled(4, 12)),
    ),
    app("payments", ("ledger", Deployment(3), "registry.acme.io/pay/ledger:0.92.4", 8443, MEDIUM, 240, Plain)),
    app("payments", ("fraud-scoring", Deployment(3), "registry.acme.io/pay/fraud:2.0.1", 8080, LARGE, 11, Plain)),
    app(
        "payments",
        (
            "webhooks",
            Deployment(3),
            "registry.acme.io/pay/webhooks:1.1.5",
            8080,
            SMALL,
            3,
            Behaves("crashes 35s 1", 41),
        ),
    ),
    app("payments", ("vault-agent", Deployment(2), "docker.io/hashicorp/vault:1.20.3", 8200, SMALL, 800, Plain)),
    app("payments", ("postgres", StatefulSet(2, "50Gi"), "docker.io/library/postgres:17.6", 5432, LARGE, 900, Plain)),
    app("search", ("query", Deployment(6), "registry.acme.io/search/query:7.0.2", 9200, LARGE, 44, Scaled(4, 9))),
    app("search", ("indexer", Deployment(3), "registry.acme.io/search/indexer:7.0.2", 9300, MEDIUM, 44, Plain)),
    app("search", ("suggest", Deployment(3), "registry.acme.io/search/suggest:1.3.0", 8080, SMALL, 90, Plain)),
    app(
        "search",
        (
            "opensearch",
            StatefulSet(3, "200Gi"),
            "docker.io/opensearchproject/opensearch:3.2.0",
            9200,
            ("1", "4Gi"),
            1000,
            Plain,
        ),
    ),
    app("data", ("ingest", Deployment(4), "registry.acme.io/data/ingest:1.4.9", 8081, MEDIUM, 61, Plain)),
    app("data", ("transform", Deployment(3), "registry.acme.io/data/transform:1.4.9", 8081, MEDIUM, 61, Plain)),
    app("data", ("feature-store", Deployment(2), "registry.acme.io/data/features:0.8.0", 6566, MEDIUM, 150, Plain)),
    app(
        "data",
        ("model-trainer", Deployment(1), "registry.acme.io/data/trainer:0.3.1", 8080, ("12", "192Gi"), 5, Unplaced),
    ),
    app(
        "data",
        (
            "kafka",
            StatefulSet(3, "100Gi"),
            "quay.io/strimzi/kafka:0.48.0-kafka-4.1.0",
            9092,
            ("500m", "2Gi"),
            1000,
            Plain,
        ),
    ),
    app("data", ("airflow-scheduler", Deployment(1), "docker.io/apache/airflow:3.1.0", 8793, MEDIUM, 260, Plain)),
    app("data", ("airflow-web", Deployment(2), "docker.io/apache/airflow:3.1.0", 8080, MEDIUM, 260, Plain)),
    app("ci", ("runner", Deployment(5), "registry.acme.io/ci/runner:2.328.0", 8080, MEDIUM, 22, Plain)),
    app("ci", ("registry-mirror", Deployment(2), "docker.io/library/registry:3.0.0", 5000, SMALL, 400, Plain)),
    app("ci", ("buildkit", StatefulSet(2, "60Gi"), "docker.io/moby/buildkit:v0.25.1", 1234, LARGE, 310, Plain)),
    app("ci", ("argocd-server", Deployment(2), "quay.io/argoproj/argocd:v3.1.8", 8080, MEDIUM, 350, Plain)),
    app("staging", ("storefront", Deployment(2), "registry.acme.io/shop/storefront:2.42.0-rc3", 8080, SMALL, 2, Plain)),
    app("staging", ("checkout", Deployment(2), "registry.acme.io/shop/checkout:1.19.0-rc1", 8080, SMALL, 2, Plain)),
    app(
        "staging",
        (
            "payments-api",
            Deployment(1),
            "registry.acme.io/pay/payments:3.8.0-rc2",
            8443,
            SMALL,
            26,
            Behaves("unready 6m", 0),
        ),
    ),
    app(
        "staging",
        (
            "search-query",
            Deployment(1),
            "registry.acme.io/search/query:7.1.0-does-not-exist",
            9200,
            SMALL,
            1,
            Behaves("image-missing", 0),
        ),
    ),
];

/// Namespace, name, schedule, image and what the pods do.
pub(super) const CRON_JOBS: [(&str, &str, &str, &str, &str); 7] = [
    ("shop", "price-sync", "*/5 * * * *", "registry.acme.io/shop/price-sync:1.2.0", "completes 40s"),
    ("shop", "abandoned-carts", "*/15 * * * *", "registry.acme.io/shop/cart-mailer:0.9.1", "completes 2m"),
    ("payments", "settlement", "0 * * * *", "registry.acme.io/pay/settlement:3.7.0", "completes 4m"),
    ("payments", "reconcile", "20 2 * * *", "registry.acme.io/pay/reconcile:3.7.0", "completes 9m"),
    ("data", "warehouse-load", "*/10 * * * *", "registry.acme.io/data/warehouse:1.4.9", "completes 3m"),
    ("data", "nightly-report", "0 3 * * *", "registry.acme.io/data/report:2.0.0", "crashes 50s 2"),
    ("monitoring", "snapshot", "30 * * * *", "registry.acme.io/ops/snapshot:0.4.0", "completes 1m"),
];

/// Host, namespace and service of what is reached from outside.
pub(super) const INGRESSES: [(&str, &str, &str); 5] = [
    ("www.acme.example", "shop", "storefront"),
    ("api.acme.example", "payments", "payments-api"),
    ("search.acme.example", "search", "query"),
    ("grafana.acme.example", "monitoring", "grafana"),
    ("ci.acme.example", "ci", "argocd-server"),
];
