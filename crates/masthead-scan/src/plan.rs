//! The paths of all fields as one tree, walked once per object.

use std::ops::Range;

use crate::{Cursor, Mismatch, Stop};

/// One step from a value to one inside of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the member of this name.
    Name(Box<str>),
    /// To each element of an array.
    Each,
}

/// What is looked for in an object. Node 0 is the object itself.
#[derive(Debug)]
pub struct Plan {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    /// What is inside the members of these names; objects have few that are looked for.
    names: Vec<(Box<str>, usize)>,
    /// What is inside each element.
    each: Option<usize>,
    slots: Vec<usize>,
    /// Whether the member is to be cut out.
    cut: bool,
}

/// Who takes what is found: the slot, and the value as it is written.
type Sink<'s, 'a> = dyn FnMut(usize, &'a [u8]) -> Result<(), Mismatch> + 's;

/// Where an object ends.
#[derive(Debug, PartialEq, Eq)]
pub struct Extent {
    /// How many bytes it has.
    pub length: usize,
    /// The member that is to be cut out, from its name to the end of its value.
    pub cut: Option<Range<usize>>,
}

/// Why an object cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub enum Halt {
    /// It ends too early, or is none.
    Stop(Stop),
    /// What was found is not what the field takes.
    Mismatch {
        /// The slot of the field.
        slot: usize,
        /// What it takes.
        mismatch: Mismatch,
    },
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

impl Default for Plan {
    /// Looks for nothing yet.
    fn default() -> Plan {
        Plan { nodes: vec![Node::default()] }
    }
}

impl Plan {
    /// Looks for what lies at this path, for `slot`.
    pub fn add(&mut self, path: &[Step], slot: usize) {
        let node = self.node(path);
        self.nodes[node].slots.push(slot);
    }

    /// Notes where the member at this path lies.
    pub fn cut(&mut self, path: &[Step]) {
        let node = self.node(path);
        self.nodes[node].cut = true;
    }

    /// Walks through the object that `bytes` begin with.
    pub fn walk<'a>(&self, bytes: &'a [u8], sink: &mut Sink<'_, 'a>) -> Result<Extent, Halt> {
        let mut walk = Walk { plan: self, cursor: Cursor::new(bytes), sink, cut: None };
        if walk.cursor.peek()? != b'{' {
            return Err(Stop::Malformed(walk.cursor.at()).into());
        }
        walk.visit(0)?;
        Ok(Extent { length: walk.cursor.at(), cut: walk.cut })
    }

    fn node(&mut self, path: &[Step]) -> usize {
        path.iter().fold(0, |node, step| {
            let known = match step {
                Step::Name(name) => {
                    self.nodes[node].names.iter().find(|(known, _)| known == name).map(|(_, node)| *node)
                }
                Step::Each => self.nodes[node].each,
            };
            known.unwrap_or_else(|| {
                let new = self.nodes.len();
                self.nodes.push(Node::default());
                match step {
                    Step::Name(name) => self.nodes[node].names.push((name.clone(), new)),
                    Step::Each => self.nodes[node].each = Some(new),
                }
                new
            })
        })
    }
}

struct Walk<'p, 's, 't, 'a> {
    plan: &'p Plan,
    cursor: Cursor<'a>,
    sink: &'s mut Sink<'t, 'a>,
    cut: Option<Range<usize>>,
}

impl Walk<'_, '_, '_, '_> {
    fn visit(&mut self, node: usize) -> Result<(), Halt> {
        let node = &self.plan.nodes[node];
        let next = self.cursor.peek()?;
        let start = self.cursor.at();
        match node.each {
            _ if next == b'{' && !node.names.is_empty() => self.members(node)?,
            Some(each) if next == b'[' => self.elements(each)?,
            _ => self.cursor.skip()?,
        }
        for slot in &node.slots {
            let value = self.cursor.since(start);
            (self.sink)(*slot, value).map_err(|mismatch| Halt::Mismatch { slot: *slot, mismatch })?;
        }
        Ok(())
    }

    fn members(&mut self, node: &Node) -> Result<(), Halt> {
        self.cursor.expect(b'{')?;
        let mut first = true;
        while let Some(name) = self.cursor.name(first)? {
            first = false;
            let wanted = node.names.iter().find(|(wanted, _)| name.is(wanted));
            let Some((_, inside)) = wanted else {
                self.cursor.skip()?;
                continue;
            };
            let start = self.cursor.name_at();
            self.visit(*inside)?;
            if self.plan.nodes[*inside].cut {
                self.cut = Some(start..self.cursor.at());
            }
        }
        Ok(())
    }

    fn elements(&mut self, each: usize) -> Result<(), Halt> {
        self.cursor.expect(b'[')?;
        let mut first = true;
        while self.cursor.element(first)? {
            first = false;
            self.visit(each)?;
        }
        Ok(())
    }
}
