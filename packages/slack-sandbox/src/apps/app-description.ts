/**
 * How payloads are delivered: over Socket Mode, or as signed requests to the URL after `http:`. Without a
 * path in that URL, they go under the paths of the manifest's own URLs.
 */
export type DeliveryOption = 'socket' | `http:${string}`;

/** An app to serve: the path of its manifest, or the manifest itself. */
export interface AppDescription {
  readonly manifest: string | object;
  /** Defaults to `socket`. */
  readonly delivery?: DeliveryOption | undefined;
}
