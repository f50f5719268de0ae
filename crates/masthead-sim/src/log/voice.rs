//! What a program says, by what it is.

use std::time::Duration;

use serde_json::json;

use crate::timestamp;

/// The way in which one run of one image writes.
#[derive(Debug)]
pub(super) struct Voice {
    manner: Manner,
    /// The image's own name, as in `orders`.
    name: String,
    seed: u64,
}

/// What kind of program it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// A web server with an access log.
    Web,
    /// A database, cache or queue.
    Store,
    /// A program that works and ends.
    Batch,
    /// Anything else: a service with JSON logs.
    Service,
}

impl Voice {
    /// The voice of an image; `run` tells its runs apart, and `to_end` is whether it is meant to end.
    pub(super) fn new(image: &str, to_end: bool, run: &str) -> Voice {
        let base = image.rsplit('/').next().unwrap_or(image);
        let name = base.split(['@', ':']).next().unwrap_or(base);
        let is = |known: &[&str]| known.iter().any(|part| name.contains(part));
        let manner = if is(&["nginx", "httpd", "apache", "envoy", "traefik", "caddy", "haproxy", "ingress"]) {
            Manner::Web
        } else if is(&["postgres", "mysql", "mariadb", "redis", "mongo", "kafka", "etcd", "rabbit", "elastic"]) {
            Manner::Store
        } else if to_end {
            Manner::Batch
        } else {
            Manner::Service
        };
        let seed = run.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Voice { manner, name: if name.is_empty() { "app".to_owned() } else { name.to_owned() }, seed }
    }

    /// How often it has something to say.
    pub(super) fn period(&self) -> Duration {
        let (least, spread) = match self.manner {
            Manner::Web => (300, 2_000),
            Manner::Store => (8_000, 12_000),
            Manner::Batch => (400, 800),
            Manner::Service => (900, 3_000),
        };
        Duration::from_millis(least + self.roll(u64::MAX, 1) % spread)
    }

    pub(super) fn boot_lines(&self) -> u64 {
        3
    }

    /// How many lines its end takes. One that is killed says nothing.
    pub(super) fn end_lines(&self, code: i64) -> u64 {
        match code {
            0 => 1,
            137 => 0,
            143 => 2,
            _ => self.trace().len() as u64,
        }
    }

    pub(super) fn boot(&self, line: u64, time: Duration) -> String {
        let name = &self.name;
        match line {
            0 => self.say("info", &format!("starting {name}"), time),
            1 => self.say("info", "configuration loaded", time),
            _ if self.manner == Manner::Batch => self.say("info", "work found, beginning", time),
            _ => self.say("info", &format!("listening on 0.0.0.0:{}", [8080, 9090, 3000][self.pick(0, 2, 3)]), time),
        }
    }

    pub(super) fn end(&self, code: i64, line: u64, time: Duration) -> String {
        match (code, line) {
            (0, _) => self.say("info", "finished, all work done", time),
            (143, 0) => self.say("info", "received SIGTERM, shutting down", time),
            (143, _) => self.say("info", "connections drained, bye", time),
            _ => self.trace().get(line as usize).map_or(String::new(), |text| text.replace("NAME", &self.name)),
        }
    }

    /// A line of an ordinary day.
    pub(super) fn day(&self, line: u64, time: Duration) -> String {
        match self.manner {
            Manner::Web => self.access(line, time),
            Manner::Service => self.request(line, time),
            Manner::Batch => {
                let done = (line + 1) * 250;
                self.say("info", &format!("processed {done} records, {} skipped", self.roll(line, 3) % 7), time)
            }
            Manner::Store => {
                const DAYS: [&str; 4] = [
                    "checkpoint complete: wrote N buffers",
                    "connection received: host=10.244.1.N",
                    "automatic vacuum of table \"events\": removed N rows",
                    "slow operation took N ms",
                ];
                let text = DAYS[self.pick(line, 3, DAYS.len())];
                self.say("info", &text.replace('N', &(self.roll(line, 4) % 250 + 1).to_string()), time)
            }
        }
    }

    /// A number that is the same for the same run, line and purpose.
    pub(super) fn roll(&self, line: u64, purpose: u64) -> u64 {
        let mut mixed =
            self.seed ^ line.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ purpose.wrapping_mul(0xd1b5_4a32_d192_ed03);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn pick(&self, line: u64, purpose: u64, of: usize) -> usize {
        usize::try_from(self.roll(line, purpose) % of as u64).unwrap_or_default()
    }

    /// One message in the form that the program has for all of them.
    fn say(&self, level: &str, message: &str, time: Duration) -> String {
        let at = timestamp::format_micro(time);
        match self.manner {
            Manner::Web => {
                let (date, clock) = (at[..10].replace('-', "/"), &at[11..19]);
                format!("{date} {clock} [notice] 1#1: {message}")
            }
            Manner::Store => format!("{} {} UTC [1] LOG:  {message}", &at[..10], &at[11..23]),
            Manner::Batch => format!("{at} {} {message}", level.to_uppercase()),
            Manner::Service => json!({ "level": level, "logger": self.name, "msg": message, "ts": at }).to_string(),
        }
    }

    fn access(&self, line: u64, time: Duration) -> String {
        const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        const PATHS: [&str; 6] = ["/", "/index.html", "/api/orders", "/static/app.js", "/healthz", "/login"];
        const AGENTS: [&str; 3] = ["kube-probe/1.36", "Mozilla/5.0 (X11; Linux x86_64)", "curl/8.14.1"];
        let at = timestamp::format(time);
        let month = at[5..7].parse::<usize>().ok().and_then(|month| MONTHS.get(month.wrapping_sub(1)));
        let (day, month, year, clock) = (&at[8..10], month.unwrap_or(&"Jan"), &at[..4], &at[11..19]);
        let code = match self.roll(line, 5) % 50 {
            0 => 500,
            1..4 => 404,
            4..8 => 304,
            _ => 200,
        };
        let (host, path) = (self.roll(line, 6) % 254 + 1, PATHS[self.pick(line, 7, PATHS.len())]);
        let (size, agent) = (self.roll(line, 8) % 9000 + 120, AGENTS[self.pick(line, 9, AGENTS.len())]);
        format!(
            "10.244.0.{host} - - [{day}/{month}/{year}:{clock} +0000] \"GET {path} HTTP/1.1\" {code} {size} \"-\" \"{agent}\""
        )
    }

    fn request(&self, line: u64, time: Duration) -> String {
        const PATHS: [&str; 5] = ["/api/orders", "/api/users", "/api/carts", "/healthz", "/api/payments"];
        let (level, status, message) = match self.roll(line, 5) % 40 {
            0 => ("error", 500, "upstream failed"),
            1..3 => ("warn", 429, "client is too fast"),
            _ => ("info", 200, "request handled"),
        };
        json!({
            "level": level, "logger": self.name, "msg": message, "path": PATHS[self.pick(line, 7, PATHS.len())],
            "status": status, "duration_ms": self.roll(line, 8) % 300 + 1,
            "request_id": format!("{:08x}", self.roll(line, 9) as u32), "ts": timestamp::format_micro(time),
        })
        .to_string()
    }

    /// What a crash leaves behind, in the language that the program is in.
    fn trace(&self) -> &'static [&'static str] {
        const TRACES: [&[&str]; 3] = [
            &[
                "panic: runtime error: invalid memory address or nil pointer dereference",
                "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x7f2a41]",
                "",
                "goroutine 1 [running]:",
                "main.(*Server).handle(0x0, {0xc0001a2000, 0x40})",
                "\t/src/NAME/server.go:118 +0x1c1",
                "main.main()",
                "\t/src/NAME/main.go:42 +0x2a5",
            ],
            &[
                "Traceback (most recent call last):",
                "  File \"/app/NAME/__main__.py\", line 57, in <module>",
                "    main()",
                "  File \"/app/NAME/__main__.py\", line 41, in main",
                "    connection = connect(settings.database_url)",
                "  File \"/app/NAME/database.py\", line 23, in connect",
                "    raise ConnectionError(f\"cannot reach {url}\")",
                "ConnectionError: cannot reach postgres://db:5432/NAME",
            ],
            &[
                "Exception in thread \"main\" java.lang.IllegalStateException: no configuration for NAME",
                "\tat com.example.NAME.Settings.require(Settings.java:61)",
                "\tat com.example.NAME.Application.start(Application.java:38)",
                "\tat com.example.NAME.Application.main(Application.java:19)",
                "Caused by: java.nio.file.NoSuchFileException: /etc/NAME/application.yaml",
                "\t... 3 more",
            ],
        ];
        // The same image crashes in the same language, whichever run it is.
        TRACES[self.name.len() % TRACES.len()]
    }
}
