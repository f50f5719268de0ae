//! What is wrong with one field of a request, worded as the real server words it.

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cause {
    pub(crate) field: String,
    pub(crate) reason: &'static str,
    pub(crate) message: String,
}

impl Cause {
    /// The field may not be there, or not so.
    pub(crate) fn forbidden(field: impl Into<String>, why: impl AsRef<str>) -> Cause {
        Cause { field: field.into(), reason: "FieldValueForbidden", message: format!("Forbidden: {}", why.as_ref()) }
    }

    /// The field has a value that it cannot have.
    pub(crate) fn invalid(field: impl Into<String>, value: impl std::fmt::Display, why: impl AsRef<str>) -> Cause {
        Cause {
            field: field.into(),
            reason: "FieldValueInvalid",
            message: format!("Invalid value: {value}: {}", why.as_ref()),
        }
    }

    /// The field has a value that is none of those it may have; `value` and `supported` as they are quoted.
    pub(crate) fn unsupported(field: impl Into<String>, value: &str, supported: &str) -> Cause {
        let message = format!("Unsupported value: {value}: supported values: {supported}");
        Cause { field: field.into(), reason: "FieldValueNotSupported", message }
    }

    /// The field has more than so many bytes.
    pub(crate) fn too_long(field: impl Into<String>, most: usize) -> Cause {
        let message = format!("Too long: may not be more than {most} bytes");
        Cause { field: field.into(), reason: "FieldValueTooLong", message }
    }

    /// The field is of another type; `value` is what is shown of it.
    pub(crate) fn ill_typed(field: impl Into<String>, value: &str, why: &str) -> Cause {
        let message = format!("Invalid value: {value}: {why}");
        Cause { field: field.into(), reason: "FieldValueTypeInvalid", message }
    }

    /// The field has more items than it may have.
    pub(crate) fn too_many(field: impl Into<String>, count: u64, most: u64) -> Cause {
        let items = if most == 1 { "item" } else { "items" };
        let message = format!("Too many: {count}: must have at most {most} {items}");
        Cause { field: field.into(), reason: "FieldValueTooMany", message }
    }

    /// The field must be there.
    pub(crate) fn required(field: impl Into<String>, why: &str) -> Cause {
        let message = if why.is_empty() { "Required value".to_owned() } else { format!("Required value: {why}") };
        Cause { field: field.into(), reason: "FieldValueRequired", message }
    }

    /// Another has the value already.
    pub(crate) fn duplicate(field: impl Into<String>, value: impl std::fmt::Display) -> Cause {
        Cause { field: field.into(), reason: "FieldValueDuplicate", message: format!("Duplicate value: {value}") }
    }

    /// The field names something that is not there.
    pub(crate) fn not_found(field: impl Into<String>, value: impl std::fmt::Display) -> Cause {
        Cause { field: field.into(), reason: "FieldValueNotFound", message: format!("Not found: {value}") }
    }
}
