/** Why it cannot be done, in a sentence for a person. */
export class Refusal extends Error {}
