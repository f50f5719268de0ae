//! Names of one language in the manner of another.

/// `CSINode` as a function or module is called: `csi_node`.
pub(crate) fn snake(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut snake = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let after_small = index > 0 && !letters[index - 1].is_uppercase() && letters[index - 1] != '_';
        let before_small = index > 0 && letters.get(index + 1).is_some_and(|next| next.is_lowercase());
        // The plural's s belongs to the initials before it: CIDRs, IPs.
        let before_plural = letters.get(index + 1) == Some(&'s') && index + 2 == letters.len();
        if letter.is_uppercase() && index > 0 && (after_small || (before_small && !before_plural)) {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::snake;

    #[test]
    fn initials_stay_together() {
        for (name, expect) in [
            ("Pod", "pod"),
            ("CSINode", "csi_node"),
            ("APIService", "api_service"),
            ("ServiceCIDRs", "service_cidrs"),
            ("ServiceCIDR", "service_cidr"),
            ("CSIStorageCapacities", "csi_storage_capacities"),
            ("NetworkPolicies", "network_policies"),
            ("IPAddresses", "ip_addresses"),
            ("getScale", "get_scale"),
            ("UpdateEphemeralContainers", "update_ephemeral_containers"),
            ("HTTP2Route", "http2_route"),
            ("already_so", "already_so"),
        ] {
            assert_eq!(snake(name), expect);
        }
    }
}
