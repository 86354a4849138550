import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks one question at a time. */
export interface Terminal {
  /** Whether a person can answer. */
  readonly isInteractive: boolean;
  say(text: string): void;
  /** Returns the answer without surrounding spaces, or undefined if the person ended the input. */
  ask(prompt: string, options?: { readonly isSecret?: boolean }): Promise<string | undefined>;
  close(): void;
}

/** Creates a terminal. What is typed for a secret isn't shown. */
export function createTerminal(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Terminal {
  let isHidden = false;
  const visible = new Writable({
    write(chunk, _, done) {
      if (!isHidden) output.write(chunk);
      done();
    },
  });
  const isInteractive = input.isTTY === true;
  const lines = createInterface({ input, output: visible, terminal: isInteractive });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  lines.once('SIGINT', () => lines.close());
  return {
    isInteractive,
    say: (text) => void output.write(`${text}\n`),
    async ask(prompt, { isSecret = false } = {}) {
      output.write(prompt);
      isHidden = isSecret;
      try {
        return (await lines.question('', { signal: ended.signal })).trim();
      } catch {
        return undefined;
      } finally {
        isHidden = false;
        if (isSecret) output.write('\n');
      }
    },
    close: () => lines.close(),
  };
}
