//! `#[derive(Lean)]`: declares which fields of an object a lean type has. See `masthead::lean`.

mod declaration;

use proc_macro::TokenStream;

/// Declares a struct whose fields are read straight from the bytes of an object.
///
/// Every field has an attribute with the path where it lies: `#[lean("spec.nodeName")]`. Paths are names with dots between,
/// `\.` is a dot within a name, and `[*]` each element of an array: such a field is a `Vec` or a
/// `Sum`. Key, version and uid of the
/// object need not be declared.
#[proc_macro_derive(Lean, attributes(lean))]
pub fn lean(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    declaration::implement(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}
