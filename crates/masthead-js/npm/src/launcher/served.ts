/** The dashboard, where a browser can see it. */
export interface Served {
  /** With whatever the page needs to know in its fragment. */
  readonly url: string;
  /** What one sees there. */
  readonly description: string;
  /** Why it ended by itself. */
  readonly ended: Promise<string>;
  /** Resolves once nothing of it is left. */
  stop(): Promise<void>;
}
