/** Something that Slack would reject, described as in Slack's own messages. */
export interface Problem {
  /**
   * JSON pointer into the message, such as `/blocks/3/text/text`, or into the arguments, such as
   * `/view/title/text`.
   */
  readonly pointer: string;
  readonly message: string;
  /** The Web API's error code. Set only if the code isn't `invalid_blocks` or `invalid_arguments`. */
  readonly error?: string;
}

/** Returns a JSON pointer (RFC 6901) to a path below `base`. */
export function toJsonPointer(base: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (pointer, key) => `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    base,
  );
}
