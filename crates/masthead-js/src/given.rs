//! What the facade gives as JSON.

use masthead::Error;
use serde_json::Value;

/// A JSON object of the facade's. What is absent, `null` or of another type is not given: the facade's types see to that.
///
/// Read field by field: a struct that reads itself is five times the code, and this is a package that people download.
pub(crate) struct Given(Value);

impl Given {
    /// `operation` is what an error is called by.
    pub(crate) fn parse(operation: &str, json: &str) -> Result<Given, Error> {
        serde_json::from_str(json).map(Given).map_err(|error| Error::invalid(operation, error.to_string()))
    }

    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.0[name].as_str().map(str::to_owned)
    }

    /// The text of this name; empty where there is none.
    pub(crate) fn text_or_empty(&self, name: &str) -> String {
        self.text(name).unwrap_or_default()
    }

    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        self.0[name].as_f64()
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.0[name].as_bool().unwrap_or_default()
    }

    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        texts(&self.0[name])
    }

    /// Names with a text each.
    pub(crate) fn pairs(&self, name: &str) -> Vec<(String, String)> {
        self.entries(name).map(|(name, value)| (name, value.as_str().unwrap_or_default().to_owned())).collect()
    }

    /// Names with many texts each.
    pub(crate) fn lists(&self, name: &str) -> Vec<(String, Vec<String>)> {
        self.entries(name).map(|(name, value)| (name, texts(value))).collect()
    }

    /// The object of this name.
    pub(crate) fn object(&self, name: &str) -> Option<Given> {
        let object = &self.0[name];
        object.is_object().then(|| Given(object.clone()))
    }

    /// The objects of the array of this name.
    pub(crate) fn objects(&self, name: &str) -> Vec<Given> {
        let objects = self.0[name].as_array().map(Vec::as_slice).unwrap_or_default();
        objects.iter().cloned().map(Given).collect()
    }

    /// An array of pairs.
    fn entries(&self, name: &str) -> impl Iterator<Item = (String, &Value)> {
        let pairs = self.0[name].as_array().map(Vec::as_slice).unwrap_or_default();
        pairs.iter().map(|pair| (pair[0].as_str().unwrap_or_default().to_owned(), &pair[1]))
    }
}

fn texts(value: &Value) -> Vec<String> {
    let texts = value.as_array().map(Vec::as_slice).unwrap_or_default();
    texts.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}
