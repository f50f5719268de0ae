//! The implementation of `masthead::lean::Lean` for a struct.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Field, Fields, Ident, LitStr, Result, Type, spanned::Spanned};

pub(crate) fn implement(input: &DeriveInput) -> Result<TokenStream> {
    let fields = fields(input)?;
    if let Some(parameter) = input.generics.params.first() {
        return Err(Error::new(parameter.span(), "a lean type has no parameters"));
    }
    let name = &input.ident;
    let (mut paths, mut sets, mut members) = (Vec::new(), Vec::new(), Vec::new());
    for (slot, field) in fields.iter().enumerate() {
        let (member, path) = (member(field)?, path(field)?);
        sets.push(quote!(#slot => ::masthead::lean::Field::take(&mut self.#member, found, strings)));
        paths.push(path);
        members.push(member);
    }
    Ok(quote! {
        impl ::masthead::lean::Lean for #name {
            const PATHS: &'static [&'static str] = &[#(#paths),*];

            fn blank(_: usize) -> Self {
                Self { #(#members: ::core::default::Default::default()),* }
            }

            fn set(
                &mut self,
                slot: usize,
                found: ::masthead::lean::Found<'_>,
                strings: &::masthead::lean::Strings,
            ) -> ::core::result::Result<(), ::masthead::lean::Mismatch> {
                match slot {
                    #(#sets,)*
                    _ => ::core::result::Result::Ok(()),
                }
            }

            fn heap(&self) -> usize {
                0 #(+ ::masthead::lean::Field::heap(&self.#members))*
            }
        }
    })
}

fn fields(input: &DeriveInput) -> Result<Vec<&Field>> {
    match &input.data {
        Data::Struct(declared) => match &declared.fields {
            Fields::Named(named) => Ok(named.named.iter().collect()),
            _ => Err(Error::new(declared.fields.span(), "the fields of a lean type have names")),
        },
        _ => Err(Error::new(input.ident.span(), "a lean type is a struct")),
    }
}

fn member(field: &Field) -> Result<&Ident> {
    field.ident.as_ref().ok_or_else(|| Error::new(field.span(), "the fields of a lean type have names"))
}

/// The path in the field's attribute, if it can be one.
fn path(field: &Field) -> Result<LitStr> {
    let Some(attribute) = field.attrs.iter().find(|attribute| attribute.path().is_ident("lean")) else {
        return Err(Error::new(field.span(), "where does it lie? #[lean(\"spec.nodeName\")] says so"));
    };
    let path: LitStr = attribute.parse_args()?;
    let text = path.value();
    if let Some(why) = refusal(&text) {
        return Err(Error::new(path.span(), why));
    }
    if text.contains("[*]") != is_list(&field.ty) {
        return Err(Error::new(
            field.ty.span(),
            "a field is a Vec or a Sum if there is [*] in its path, and only then",
        ));
    }
    Ok(path)
}

/// Why a path leads nowhere. `masthead::lean` reads paths; this finds the same mistakes while the program is compiled.
fn refusal(path: &str) -> Option<&'static str> {
    let plain = path.strip_prefix('.').unwrap_or(path).replace(r"\\", "x");
    if plain.ends_with('\\') {
        return Some("nothing follows the backslash");
    }
    let plain = plain.replace(r"\.", "x").replace(r"\[", "x").replace('\\', "");
    for part in plain.split('.') {
        let name = part.find('[').map_or(part, |at| &part[..at]);
        if name.is_empty() {
            return Some("a name is missing");
        }
        let each = &part[name.len()..];
        if !each.replace("[*]", "").is_empty() {
            return Some("only [*] may stand in brackets, and only a dot behind it");
        }
    }
    None
}

fn is_list(field: &Type) -> bool {
    match field {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Vec" || last.ident == "Sum"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{implement, refusal};

    #[test]
    fn paths_that_lead_nowhere_are_refused() {
        for path in ["kind", ".spec.nodeName", "a[*][*].b", "spec.args[*]", r"a.b\.c/d", r"a\[b\\", r"\\\.x"] {
            assert_eq!(refusal(path), None, "{path}");
        }
        for path in ["", "a..b", "a.", "[*].a", "a[0]", "a[*]b", "a\\", ".."] {
            assert!(refusal(path).is_some(), "{path}");
        }
    }

    #[test]
    fn says_what_is_wrong_with_a_declaration() {
        let check = |declaration: &str, expect: &str| {
            let input = syn::parse_str(declaration).expect("a declaration");
            assert_eq!(implement(&input).expect_err("a mistake").to_string(), expect, "{declaration}");
        };
        check("enum Phase { Running }", "a lean type is a struct");
        check("struct Pair(u8, u8);", "the fields of a lean type have names");
        check("struct Row<T> { #[lean(\"a\")] field: T }", "a lean type has no parameters");
        check("struct Row { node: String }", "where does it lie? #[lean(\"spec.nodeName\")] says so");
        check("struct Row { #[lean(\"a..b\")] node: String }", "a name is missing");
        let list = "a field is a Vec or a Sum if there is [*] in its path, and only then";
        check("struct Row { #[lean(\"a[*].b\")] names: String }", list);
        check("struct Row { #[lean(\"a.b\")] names: Vec<String> }", list);
    }
}
