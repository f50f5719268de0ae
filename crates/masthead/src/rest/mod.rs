//! The REST layer: requests, answers, and what the bytes of a Kubernetes answer mean.
//!
//! A [`RestClient`] begins a [`Request`], which is built up and sent over a [`Transport`]. [`Framer`] cuts a streamed body
//! into values, [`WatchEvent`] and [`List`] read them, [`Response`] judges a complete answer and [`Status`] is the server's
//! own word on what failed. Only the transport does I/O.

mod client;
mod config;
mod decoder;
mod endpoint;
mod exchange;
mod go_duration;
mod list;
mod list_reader;
pub(crate) mod options;
mod patch;
mod path;
mod request;
mod response;
mod status;
mod transport;
mod undecodable;
mod url_template;
mod warning;
mod watch;
mod watching;

pub use client::RestClient;
pub use config::{Attempt, Auth, Config, Impersonation, Observer, RetryAfter, TokenProvider, UrlBackoff};
pub use decoder::{Decoder, First, Json, MediaType};
pub(crate) use endpoint::Endpoint;
pub use list::List;
pub(crate) use list::split_array;
pub use list_reader::{Batch, ListReader};
pub use masthead_scan::{FrameError, Framer};
pub use options::{
    ApplyOptions, CreateOptions, DeleteOptions, FieldValidation, GetOptions, ListOptions, PatchOptions, Preconditions,
    PropagationPolicy, ResourceVersionMatch, UpdateOptions,
};
pub use patch::PatchKind;
pub use request::Request;
pub use response::Response;
pub use status::{Status, StatusCause, StatusDetails};
pub use transport::{Answer, Body, Headers, HttpRequest, Method, Transport};
pub use undecodable::UndecodableObject;
pub(crate) use undecodable::field_of;
pub use warning::{OnceHandler, WarningHandler};
pub use watch::{Bookmark, EventType, WatchEvent};
pub use watching::Watch;
