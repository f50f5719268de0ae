//! The ClientSet has what the real API server serves.

mod clientset;

use anyhow::Result;
use masthead_tests::Testbed;

#[test]
fn the_clientset_has_every_kind_of_the_real_server() -> Result<()> {
    let testbed = Testbed::new();
    assert_eq!(clientset::differences(|path| testbed.api().get(path))?, [""; 0]);
    Ok(())
}
