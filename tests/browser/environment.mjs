// What `cargo xtask test browser` hands over. Each is needed, so each missing one is an error with the way out.

function needed(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests with \`cargo xtask test browser\``);
  return value;
}

export const environment = {
  xtask: needed('MASTHEAD_XTASK'),
  dist: needed('MASTHEAD_DIST'),
  candidates: needed('MASTHEAD_CANDIDATES'),
  shots: needed('MASTHEAD_SHOTS'),
  kubectl: needed('MASTHEAD_KUBECTL'),
  chromium: needed('CHROMIUM'),
  /** The kubeconfig of a user of the test cluster: admin, reader or nobody. */
  kubeconfig: (user) => `${needed('MASTHEAD_KUBECONFIGS')}/${user}.kubeconfig`,
};
