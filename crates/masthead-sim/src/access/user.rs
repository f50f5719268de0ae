//! A user, as roles are bound to one.

use serde_json::{Value, json};

/// Who somebody is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct User {
    pub(crate) name: String,
    pub(crate) uid: String,
    pub(crate) groups: Vec<String>,
    /// What else is known of the user, name by name.
    pub(crate) extra: Vec<(String, Vec<String>)>,
}

/// Whoever is in it may do everything.
const MASTERS: &str = "system:masters";
const ACCOUNT: &str = "system:serviceaccount:";

impl User {
    /// Who asks without saying who it is, as through an admin's own proxy.
    pub(crate) fn admin() -> User {
        User { uid: "admin".to_owned(), ..User::new("admin", [MASTERS]) }
    }

    /// A part of the cluster itself.
    pub(crate) fn component(name: &str) -> User {
        User::new(&format!("system:{name}"), [MASTERS])
    }

    /// A user with the groups that follow from its name.
    pub(crate) fn new<'a>(name: &str, groups: impl IntoIterator<Item = &'a str>) -> User {
        let mut groups: Vec<String> = groups.into_iter().map(str::to_owned).collect();
        let mut add = |group: &str| {
            if !groups.iter().any(|known| known == group) {
                groups.push(group.to_owned());
            }
        };
        if let Some((namespace, _)) = account(name) {
            add("system:serviceaccounts");
            add(&format!("system:serviceaccounts:{namespace}"));
        }
        add(if name == "system:anonymous" { "system:unauthenticated" } else { "system:authenticated" });
        User { name: name.to_owned(), groups, ..User::default() }
    }

    pub(crate) fn is_master(&self) -> bool {
        self.groups.iter().any(|group| group == MASTERS)
    }

    /// Whether it is a service account.
    pub(crate) fn is_account(&self) -> bool {
        account(&self.name).is_some()
    }

    /// Whether a binding's subject means this user; `namespace` is that of the binding.
    pub(crate) fn is(&self, subject: &Value, namespace: &str) -> bool {
        let text = |field: &str| subject[field].as_str().unwrap_or_default();
        match text("kind") {
            "User" => text("name") == self.name,
            "Group" => self.groups.iter().any(|group| group == text("name")),
            "ServiceAccount" => {
                let namespace = if text("namespace").is_empty() { namespace } else { text("namespace") };
                account(&self.name) == Some((namespace, text("name")))
            }
            _ => false,
        }
    }

    /// As reviews tell who somebody is.
    pub(crate) fn shown(&self) -> Value {
        let mut shown = json!({ "username": self.name, "groups": self.groups });
        if !self.uid.is_empty() {
            shown["uid"] = self.uid.as_str().into();
        }
        for (name, values) in &self.extra {
            shown["extra"][name] = values.as_slice().into();
        }
        shown
    }
}

/// Namespace and name of the service account that a user is.
fn account(user: &str) -> Option<(&str, &str)> {
    user.strip_prefix(ACCOUNT)?.split_once(':')
}
