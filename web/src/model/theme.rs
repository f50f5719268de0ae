//! The theme: the system's, or the person's choice.

/// Which colours the page uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Light, whatever the system says.
    Light,
    /// Dark, whatever the system says.
    Dark,
}

impl Theme {
    /// Reads what was remembered; anything unknown is the system's choice.
    pub fn parse(text: &str) -> Self {
        match text {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }

    /// The word that is remembered and that the style sheet knows.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// What the toggle turns it into, where the system's own theme is dark or not.
    ///
    /// The first step away from the system's choice is the one that shows.
    #[must_use]
    pub fn next(self, system_is_dark: bool) -> Self {
        let (same, other) = if system_is_dark { (Self::Dark, Self::Light) } else { (Self::Light, Self::Dark) };
        match self {
            Self::System => other,
            chosen if chosen == other => same,
            _ => Self::System,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_toggle_passes_through_all_and_remembers_each() {
        for (system_is_dark, expected) in
            [(false, [Theme::Dark, Theme::Light, Theme::System]), (true, [Theme::Light, Theme::Dark, Theme::System])]
        {
            let mut theme = Theme::default();
            for next in expected {
                theme = theme.next(system_is_dark);
                assert_eq!(theme, next);
                assert_eq!(Theme::parse(theme.name()), theme);
            }
        }
        assert_eq!(Theme::parse("mauve"), Theme::System);
    }
}
