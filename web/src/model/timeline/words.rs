//! What the timeline says, in the languages of the page. What the cluster says stays in the cluster's words.

use super::{
    filter::{Facet, Mistake},
    lanes::{Grouping, LaneSort},
    phase::Phase,
    point::{Class, Status},
};

/// Everything the timeline says.
#[derive(Debug)]
#[expect(missing_docs, reason = "a field's English text is its documentation")]
pub struct Words {
    pub title: &'static str,
    pub filter: &'static str,
    pub filter_hint: &'static str,
    pub clear_filter: &'static str,
    pub group: &'static str,
    pub groups: [&'static str; 3],
    pub sort: &'static str,
    pub sorts: [&'static str; 3],
    pub range: &'static str,
    pub facets: [&'static str; 5],
    pub classes: [&'static str; 4],
    pub statuses: [&'static str; 3],
    pub phases: [&'static str; 8],
    pub live: &'static str,
    pub go_live: &'static str,
    pub paused: &'static str,
    pub new_points: fn(u32) -> String,
    pub table: &'static str,
    pub chart: &'static str,
    pub zoom_in: &'static str,
    pub zoom_out: &'static str,
    pub history: &'static str,
    pub history_on: &'static str,
    pub history_says: &'static str,
    pub history_kept: fn(u32) -> String,
    pub history_clear: &'static str,
    pub history_none: &'static str,
    pub time: &'static str,
    pub object: &'static str,
    pub reason: &'static str,
    pub message: &'static str,
    pub count: &'static str,
    pub source: &'static str,
    pub listed: fn(usize, usize) -> String,
    pub only_lane: fn(&str) -> String,
    pub all_lanes: &'static str,
    pub between: fn(u32) -> String,
    pub cluster_wide: &'static str,
    pub loading: &'static str,
    pub nothing: &'static str,
    pub nothing_says: &'static str,
    pub not_allowed: &'static str,
    pub not_allowed_says: &'static str,
    pub hidden: fn(usize) -> String,
    pub nothing_here: &'static str,
    pub show_latest: &'static str,
    pub refused: fn(&str, &str) -> String,
    pub strip_label: &'static str,
    pub chart_label: &'static str,
    pub shortcuts: [(&'static str, &'static str); 6],
    pub unknown_field: fn(&str) -> String,
    pub no_value: fn(&str) -> String,
    pub too_long: &'static str,
}

impl Words {
    /// The words of the language with this tag; English where there is none.
    pub fn of(tag: &str) -> &'static Words {
        if tag.starts_with("zh") { &CHINESE } else { &ENGLISH }
    }

    /// A grouping's name.
    pub fn grouping(&self, grouping: Grouping) -> &'static str {
        self.groups[grouping as usize]
    }

    /// An order's name.
    pub fn order(&self, sort: LaneSort) -> &'static str {
        self.sorts[sort as usize]
    }

    /// A facet's name.
    pub fn facet(&self, facet: Facet) -> &'static str {
        self.facets[facet as usize]
    }

    /// A class's name.
    pub fn class(&self, class: Class) -> &'static str {
        self.classes[class as usize]
    }

    /// A status's name.
    pub fn status(&self, status: Status) -> &'static str {
        self.statuses[status as usize]
    }

    /// A phase's name.
    pub fn phase(&self, phase: Phase) -> &'static str {
        self.phases[phase as usize]
    }

    /// Why a filter is none.
    pub fn mistake(&self, mistake: &Mistake) -> String {
        match mistake {
            Mistake::UnknownField(name) => (self.unknown_field)(name),
            Mistake::NoValue(name) => (self.no_value)(name),
            Mistake::TooLong => self.too_long.to_owned(),
        }
    }
}

static ENGLISH: Words = Words {
    title: "Events",
    filter: "Filter",
    filter_hint: "kind=Pod reason=BackOff type=warning text…",
    clear_filter: "Clear the filter",
    group: "Group",
    groups: ["Owner", "Namespace", "Reason"],
    sort: "Sort",
    sorts: ["Importance", "Recent", "Name"],
    range: "Range",
    facets: ["Type", "Change", "Kind", "Reason", "Namespace"],
    classes: ["created", "changed", "deleted", "event"],
    statuses: ["normal", "warning", "failure"],
    phases: ["absent", "succeeded", "running", "terminating", "pending", "not ready", "failed", "crash-looping"],
    live: "Live",
    go_live: "go live",
    paused: "Paused",
    new_points: |count| format!("{count} new"),
    table: "Table",
    chart: "Timeline",
    zoom_in: "Zoom in",
    zoom_out: "Zoom out",
    history: "History",
    history_on: "Keep history in this browser",
    history_says: "Servers forget events after an hour. This browser keeps the last seven days, at most 50,000 points; nothing about Secrets.",
    history_kept: |count| format!("{count} points kept"),
    history_clear: "Clear history",
    history_none: "This browser does not let the page keep anything.",
    time: "Time",
    object: "Object",
    reason: "Reason",
    message: "Message",
    count: "Count",
    source: "Source",
    listed: |shown, all| format!("{shown} of {all}"),
    only_lane: |name| format!("Only {name}"),
    all_lanes: "Show all lanes",
    between: |count| format!("{count} occurrences"),
    cluster_wide: "no namespace",
    loading: "Reading events…",
    nothing: "No events",
    nothing_says: "The server has none, and none were kept. What happens from now on appears here by itself.",
    not_allowed: "You may not list events here",
    not_allowed_says: "Choose a namespace in which you may. Once you are allowed to, they appear by themselves.",
    hidden: |count| format!("The filter hides {count} events."),
    nothing_here: "Nothing happened in this window.",
    show_latest: "Show the latest",
    refused: |what, why| format!("{what} cannot be followed: {why}"),
    strip_label: "Events over the whole range; drag to choose the window",
    chart_label: "Timeline of events. Arrow keys move and choose lanes, plus and minus zoom, T shows the same events as a table.",
    shortcuts: [
        ("← →", "Earlier and later; further with ⇧"),
        ("+ −", "Zoom in and out"),
        ("0", "The last half hour"),
        ("l", "Go live"),
        ("t", "Lanes or a table"),
        ("Enter", "Open or close the lane"),
    ],
    unknown_field: |name| format!("there is no field {name}: type, class, kind, reason and ns are fields"),
    no_value: |name| format!("{name}= needs a value"),
    too_long: "a filter has at most 64 words and 4096 bytes",
};

static CHINESE: Words = Words {
    title: "事件",
    filter: "筛选",
    filter_hint: "kind=Pod reason=BackOff type=warning 文本…",
    clear_filter: "清除筛选",
    group: "分组",
    groups: ["所有者", "命名空间", "原因"],
    sort: "排序",
    sorts: ["重要性", "最近", "名称"],
    range: "范围",
    facets: ["类型", "变化", "种类", "原因", "命名空间"],
    classes: ["创建", "变更", "删除", "事件"],
    statuses: ["正常", "警告", "失败"],
    phases: ["不存在", "已完成", "运行中", "终止中", "等待中", "未就绪", "失败", "反复崩溃"],
    live: "实时",
    go_live: "回到实时",
    paused: "已暂停",
    new_points: |count| format!("{count} 条新事件"),
    table: "表格",
    chart: "时间线",
    zoom_in: "放大",
    zoom_out: "缩小",
    history: "历史",
    history_on: "在此浏览器中保留历史",
    history_says: "服务器一小时后就会忘记事件。此浏览器保留最近七天，最多 50,000 条；不含任何 Secret 内容。",
    history_kept: |count| format!("已保留 {count} 条"),
    history_clear: "清除历史",
    history_none: "此浏览器不允许页面保存数据。",
    time: "时间",
    object: "对象",
    reason: "原因",
    message: "消息",
    count: "次数",
    source: "来源",
    listed: |shown, all| format!("{shown} / {all}"),
    only_lane: |name| format!("仅 {name}"),
    all_lanes: "显示全部泳道",
    between: |count| format!("{count} 次"),
    cluster_wide: "无命名空间",
    loading: "正在读取事件…",
    nothing: "没有事件",
    nothing_says: "服务器没有事件，也没有保留的历史。此后发生的事件会自动出现在这里。",
    not_allowed: "您无权列出此处的事件",
    not_allowed_says: "选择您有权访问的命名空间，或查看上方提示。获得授权后事件会自动出现。",
    hidden: |count| format!("筛选隐藏了 {count} 条事件。"),
    nothing_here: "此时间窗口内没有事件。",
    show_latest: "显示最新",
    refused: |what, why| format!("无法跟踪 {what}：{why}"),
    strip_label: "整个范围内的事件；拖动以选择窗口",
    chart_label: "事件时间线。方向键移动并选择泳道，加减号缩放，T 以表格显示相同事件。",
    shortcuts: [
        ("← →", "更早与更晚，按住 ⇧ 移动更远"),
        ("+ −", "放大与缩小"),
        ("0", "最近半小时"),
        ("l", "回到实时"),
        ("t", "泳道或表格"),
        ("Enter", "展开或收起泳道"),
    ],
    unknown_field: |name| format!("没有字段 {name}：可用 type、class、kind、reason、ns"),
    no_value: |name| format!("{name}= 需要一个值"),
    too_long: "筛选最多 64 个词、4096 字节",
};
