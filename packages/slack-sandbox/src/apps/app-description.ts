/**
 * How payloads are delivered: over Socket Mode, or as signed requests to the URL after `http:`. Without a
 * path in that URL, they go under the paths of the manifest's own URLs.
 */
export type DeliveryOption = 'socket' | `http:${string}`;

/** An app to serve. */
export interface AppDescription {
  /** The path of its manifest, or the manifest itself. Without one, the app may do everything. */
  readonly manifest?: string | object | undefined;
  /** Defaults to `socket`. */
  readonly delivery?: DeliveryOption | undefined;
}
