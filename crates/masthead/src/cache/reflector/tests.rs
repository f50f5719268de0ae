//! client-go's cases of its reflector.
