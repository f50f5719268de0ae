// What `cargo xtask test browser` and `cargo xtask shots` hand over. One that is missing where it is needed is an error with
// the way out.

function needed(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this with \`cargo xtask test browser\` or \`cargo xtask shots\``);
  return value;
}

export const environment = {
  get xtask() {
    return needed('MASTHEAD_XTASK');
  },
  get dist() {
    return needed('MASTHEAD_DIST');
  },
  get candidates() {
    return needed('MASTHEAD_CANDIDATES');
  },
  /** A `PATH` with trunk and what it calls. */
  get buildPath() {
    return needed('MASTHEAD_BUILD_PATH');
  },
  /** Where pictures go. */
  get shots() {
    return needed('MASTHEAD_SHOTS');
  },
  get kubectl() {
    return needed('MASTHEAD_KUBECTL');
  },
  /** The file that all containers of the test cluster write their log into. */
  get podLog() {
    return needed('MASTHEAD_POD_LOG');
  },
  get chromium() {
    return needed('CHROMIUM');
  },
  /** The kubeconfig of a user of the test cluster: admin, reader or nobody. */
  kubeconfig: (user) => `${needed('MASTHEAD_KUBECONFIGS')}/${user}.kubeconfig`,
};
