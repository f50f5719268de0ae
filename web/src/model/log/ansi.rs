//! The colours that programs write into their logs, as marks on text.
//!
//! Only the look of text is taken from escape sequences; all others are left out: a log moves no cursor and sets no title.
//! Other control characters stay in the text, and whoever draws it shows them as marks. Colours beyond the sixteen that
//! terminals name become the nearest of them, so that they stay readable in either theme. A line has at most [`SPANS`] parts:
//! what follows them is plain.

/// Text that looks alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text, without escapes.
    pub text: String,
    /// How it looks.
    pub look: Look,
}

/// How text looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each can be set without the others")]
pub struct Look {
    /// The colour of the letters.
    pub colour: Option<Colour>,
    /// The colour behind them.
    pub ground: Option<Colour>,
    /// Heavier.
    pub bold: bool,
    /// Fainter.
    pub dim: bool,
    /// Slanted.
    pub italic: bool,
    /// Underlined.
    pub underline: bool,
}

/// One of the sixteen colours that terminals name: black, red, green, yellow, blue, magenta, cyan, white, and the bright ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8);

/// The text of a line in parts.
pub(super) fn spans(raw: &str) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut look = Look::default();
    let mut rest = raw;
    while !rest.is_empty() {
        let end = rest.find('\u{1b}').unwrap_or(rest.len());
        let text = &rest[..end];
        let shown = if spans.len() < SPANS { look } else { Look::default() };
        let is_full = spans.len() > SPANS;
        match spans.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if is_full || last.look == shown => last.text.push_str(text),
            _ => spans.push(Span { text: text.to_owned(), look: shown }),
        }
        rest = after_escape(&rest[end..], &mut look);
    }
    spans
}

/// How many parts of a line have a look of their own. Programs that colour their words need twenty; a few bytes of escapes per
/// letter would make more elements than a browser can lay out.
pub(super) const SPANS: usize = 40;

/// What follows the escape sequence that `text` begins with; a look that it asks for is taken on.
fn after_escape<'a>(text: &'a str, look: &mut Look) -> &'a str {
    let Some(body) = text.strip_prefix('\u{1b}') else { return text };
    if let Some(parameters) = body.strip_prefix('[') {
        // A sequence that never ends takes no more than its parameters with it.
        let end = parameters.find(|c: char| !matches!(c, '0'..='9' | ';' | ':' | '?' | ' '..='/'));
        let Some(end) = end else { return "" };
        let last = parameters[end..].chars().next().unwrap_or('\0');
        if last == 'm' {
            look.take(&parameters[..end]);
        }
        let known = last.is_ascii_alphabetic() || matches!(last, '@' | '`' | '{' | '|' | '}' | '~');
        return &parameters[end + if known { 1 } else { 0 }..];
    }
    if let Some(title) = body.strip_prefix(']') {
        // Titles and links end with a bell or with an escape of their own.
        let end = title.find(['\u{7}', '\u{1b}']);
        return end.map_or("", |end| title[end..].strip_prefix('\u{7}').unwrap_or(&title[end..]));
    }
    let mut letters = body.chars();
    match letters.next() {
        Some(' '..='~') => letters.as_str(),
        _ => body,
    }
}

impl Look {
    fn take(&mut self, parameters: &str) {
        let mut codes = parameters.split([';', ':']).map(|code| code.parse::<u16>().unwrap_or(0));
        while let Some(code) = codes.next() {
            match code {
                0 => *self = Look::default(),
                1 => self.bold = true,
                2 => self.dim = true,
                3 => self.italic = true,
                4 => self.underline = true,
                22 => (self.bold, self.dim) = (false, false),
                23 => self.italic = false,
                24 => self.underline = false,
                30..=37 => self.colour = Some(Colour(small(code - 30))),
                38 => self.colour = extended(&mut codes),
                39 => self.colour = None,
                40..=47 => self.ground = Some(Colour(small(code - 40))),
                48 => self.ground = extended(&mut codes),
                49 => self.ground = None,
                90..=97 => self.colour = Some(Colour(small(code - 82))),
                100..=107 => self.ground = Some(Colour(small(code - 92))),
                _ => {}
            }
        }
    }
}

fn extended(codes: &mut impl Iterator<Item = u16>) -> Option<Colour> {
    match codes.next()? {
        5 => Some(match codes.next()? {
            code @ 0..16 => Colour(small(code)),
            code @ 16..232 => {
                let level = |part: u16| [0, 95, 135, 175, 215, 255][usize::from(part % 6)];
                let cube = code - 16;
                nearest([level(cube / 36), level(cube / 6), level(cube)])
            }
            code => nearest([small(8 + (code.min(255) - 232) * 10); 3]),
        }),
        2 => Some(nearest([codes.next()?, codes.next()?, codes.next()?].map(|part| small(part.min(255))))),
        _ => None,
    }
}

fn nearest(colour: [u8; 3]) -> Colour {
    let distance = |(_, known): &(u8, &[u8; 3])| -> u32 {
        known.iter().zip(colour).map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
    };
    (0..).zip(PALETTE).min_by_key(distance).map_or(Colour(7), |(at, _)| Colour(at))
}

fn small(number: u16) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// The colours of xterm.
const PALETTE: &[[u8; 3]; 16] = &[
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];
