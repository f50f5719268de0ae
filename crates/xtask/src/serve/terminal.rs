//! The person at the terminal, who presses Enter for a new address.

use std::io::{BufRead, IsTerminal, stdin};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::getpgrp,
    termios::tcgetpgrp,
};

/// Calls `pressed` for each line of standard input, from a thread of its own, until that ends.
pub(super) fn on_enter(pressed: impl Fn() + Send + 'static) {
    std::thread::spawn(move || {
        let mut line = String::new();
        loop {
            if !is_ready() {
                continue;
            }
            line.clear();
            match stdin().lock().read_line(&mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => pressed(),
            }
        }
    });
}

/// Whether there is something to read within a second. A program in the background that reads its terminal is stopped.
fn is_ready() -> bool {
    let second = Timespec { tv_sec: 1, tv_nsec: 0 };
    let stdin = stdin();
    if stdin.is_terminal() && tcgetpgrp(&stdin).ok() != Some(getpgrp()) {
        poll(&mut [], Some(&second)).ok();
        return false;
    }
    poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&second)).is_ok_and(|ready| ready > 0)
}
