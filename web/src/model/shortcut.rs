//! What keys do.

/// A key that was pressed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Press<'a> {
    /// The key's name, as browsers have it.
    pub key: &'a str,
    /// Whether Control or Command is held.
    pub control: bool,
    /// Whether Alt is held.
    pub alt: bool,
    /// Whether Shift is held.
    pub shift: bool,
}

/// What a key is pressed in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Situation {
    /// Whether it goes into a field that takes text.
    pub typing: bool,
    /// Whether the key before it was `g`.
    pub after_go: bool,
}

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Moves the cursor by so many rows.
    Move(isize),
    /// Moves the cursor by so many rows and chooses what lies between.
    Extend(isize),
    /// Moves the cursor by so many pages.
    Page(isize),
    /// Moves the cursor to the first row.
    First,
    /// Moves the cursor to the last row.
    Last,
    /// Opens the row with the cursor.
    Open,
    /// Chooses the row with the cursor, or no longer.
    Select,
    /// Chooses every row that is shown.
    SelectAll,
    /// Copies the names of the chosen rows.
    Copy,
    /// Goes to the filter.
    Filter,
    /// Chooses namespaces.
    Namespaces,
    /// Opens the palette.
    Palette,
    /// Shows every shortcut.
    Help,
    /// Goes back in history.
    Back,
    /// Goes forward in history.
    Forward,
    /// Folds the rail.
    Rail,
    /// Makes the drawer fill the page, or not.
    Full,
    /// Closes what is on top.
    Close,
    /// The next key names a page.
    Go,
    /// Goes to the page of this id.
    GoTo(&'static str),
}

/// What a key asks for.
pub fn command(press: Press<'_>, situation: Situation) -> Option<Command> {
    let Press { key, control, alt, shift } = press;
    let Situation { typing, after_go } = situation;
    if control && !alt {
        return match key {
            "k" | "K" => Some(Command::Palette),
            "a" if !typing => Some(Command::SelectAll),
            "c" if !typing => Some(Command::Copy),
            _ => None,
        };
    }
    if key == "Escape" {
        return Some(Command::Close);
    }
    if typing || alt {
        return None;
    }
    if after_go {
        let page = GO.iter().find(|(letter, _)| *letter == key).map(|(_, id)| Command::GoTo(id));
        return page.or((key == "g").then_some(Command::First));
    }
    let command = match key {
        "j" | "ArrowDown" if !shift => Command::Move(1),
        "k" | "ArrowUp" if !shift => Command::Move(-1),
        "J" | "ArrowDown" => Command::Extend(1),
        "K" | "ArrowUp" => Command::Extend(-1),
        "PageDown" => Command::Page(1),
        "PageUp" => Command::Page(-1),
        "Home" => Command::First,
        "End" | "G" => Command::Last,
        "Enter" => Command::Open,
        "x" | " " => Command::Select,
        "/" => Command::Filter,
        "n" => Command::Namespaces,
        "?" => Command::Help,
        "[" => Command::Back,
        "]" => Command::Forward,
        "\\" => Command::Rail,
        "f" => Command::Full,
        "g" => Command::Go,
        _ => return None,
    };
    Some(command)
}

/// The letters behind `g`.
pub const GO: &[(&str, &str)] = &[
    ("o", "overview"),
    ("e", "events"),
    ("p", "pods"),
    ("d", "deployments.apps"),
    ("t", "statefulsets.apps"),
    ("a", "daemonsets.apps"),
    ("j", "jobs.batch"),
    ("s", "services"),
    ("i", "ingresses.networking.k8s.io"),
    ("c", "configmaps"),
    ("v", "persistentvolumeclaims"),
    ("n", "nodes"),
    ("m", "namespaces"),
];

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Situation = Situation { typing: false, after_go: false };
    const GONE: Situation = Situation { typing: false, after_go: true };
    const TEXT: Situation = Situation { typing: true, after_go: false };

    fn press(key: &str) -> Press<'_> {
        Press { key, ..Press::default() }
    }

    #[test]
    fn keys_do_what_the_sheet_says() {
        assert_eq!(command(press("j"), PAGE), Some(Command::Move(1)));
        assert_eq!(command(Press { shift: true, ..press("ArrowUp") }, PAGE), Some(Command::Extend(-1)));
        assert_eq!(command(press("g"), PAGE), Some(Command::Go));
        assert_eq!(command(press("p"), GONE), Some(Command::GoTo("pods")));
        assert_eq!(command(press("g"), GONE), Some(Command::First));
        assert_eq!(command(press("z"), GONE), None);
        assert_eq!(command(Press { control: true, ..press("k") }, PAGE), Some(Command::Palette));
    }

    #[test]
    fn a_field_that_takes_text_keeps_its_letters() {
        assert_eq!(command(press("j"), TEXT), None);
        assert_eq!(command(press("p"), Situation { after_go: true, ..TEXT }), None);
        assert_eq!(command(press("Escape"), TEXT), Some(Command::Close));
        assert_eq!(command(Press { control: true, ..press("k") }, TEXT), Some(Command::Palette));
        assert_eq!(command(Press { control: true, ..press("c") }, TEXT), None);
    }

    #[test]
    fn what_browsers_use_is_left_to_them() {
        assert_eq!(command(Press { control: true, ..press("f") }, PAGE), None);
        assert_eq!(command(Press { alt: true, ..press("ArrowLeft") }, PAGE), None);
        assert_eq!(command(press("Tab"), PAGE), None);
    }
}
