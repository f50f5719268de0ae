//! The kinds of a shop. Every tag is above one of them.

// +groupName=shop.example.com
// +groupGoName=Shop
// +versionName=v1

use std::borrow::Cow;

#[expect(unused_imports, reason = "the tags name it")]
use k8s_openapi::api::autoscaling::v1::Scale;
use kube_core::{NamespaceResourceScope, ObjectMeta, Resource, TypeMeta};
use serde::{Deserialize, Serialize};

/// Something for sale, which is made in replicas.
// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s_openapi::api::autoscaling::v1::Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=Scale,result=Scale
// +genclient:method=ApplyScale,verb=apply,subresource=scale,result=Scale
// +genclient:method=PatchScale,verb=patch,subresource=scale,result=Scale
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Widget {
    #[serde(flatten)]
    pub types: TypeMeta,
    pub metadata: ObjectMeta,
    pub spec: WidgetSpec,
    pub status: Option<WidgetStatus>,
}

/// What a widget should be.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct WidgetSpec {
    pub colour: String,
    pub replicas: i32,
}

/// What a widget is.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct WidgetStatus {
    pub phase: String,
    pub replicas: i32,
}

/// Where widgets are sold.
// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Region {
    #[serde(flatten)]
    pub types: TypeMeta,
    pub metadata: ObjectMeta,
    pub status: Option<serde_json::Value>,
}

/// What was paid; the shop itself writes it.
// +genclient
// +genclient:readonly
// +resourceName=bills
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Receipt {
    #[serde(flatten)]
    pub types: TypeMeta,
    pub metadata: ObjectMeta,
    #[serde(default)]
    pub total: i64,
}

/// What was asked for. Its answers are of other types than its questions.
// +genclient
// +genclient:onlyVerbs=get,list,delete
// +genclient:method=Place,verb=create,input=Cart
// +genclient:method=Widgets,verb=list,subresource=widgets,result=Widget
// +genclient:method=Everything,verb=list,result=Receipt
// +genclient:method=Pay,verb=create,subresource=payment,input=Cart,result=Receipt
// +k8s:informer-gen=false
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Order {
    #[serde(flatten)]
    pub types: TypeMeta,
    pub metadata: ObjectMeta,
    #[serde(default)]
    pub spec: Cart,
}

/// What is put into an order.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Cart {
    pub widgets: Vec<String>,
}

/// An animal that follows no rule, nor a generator of listers.
// +genclient
// +genclient:skipVerbs=deleteCollection,patch,applyStatus
// +k8s:lister-gen=false
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Sheep {
    #[serde(flatten)]
    pub types: TypeMeta,
    pub metadata: ObjectMeta,
    pub status: Option<serde_json::Value>,
}

/// What is in no path of its own: only what is written by hand can be done with it.
// +genclient
// +genclient:noVerbs
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Audit {
    pub metadata: ObjectMeta,
}

impl Resource for Audit {
    type DynamicType = ();
    type Scope = NamespaceResourceScope;

    fn kind((): &()) -> Cow<'_, str> {
        "Audit".into()
    }

    fn group((): &()) -> Cow<'_, str> {
        "shop.example.com".into()
    }

    fn version((): &()) -> Cow<'_, str> {
        "v1".into()
    }

    fn plural((): &()) -> Cow<'_, str> {
        "audits".into()
    }

    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

/// A setting of a shop, kept by the cluster's own kind; nobody needs a client of it.
// +genclient
// +genclient:noStatus
// +k8s:client-gen=false
pub use k8s_openapi::api::core::v1::ConfigMap as Setting;
