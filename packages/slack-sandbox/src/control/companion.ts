/**
 * Another local service that people try together with the workspace. Its control API is below
 * `/sandbox` too.
 */
export interface Companion {
  readonly name: string;
  /** URL without a trailing slash. */
  readonly url: string;
}
