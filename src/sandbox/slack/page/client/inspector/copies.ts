import type { Exchange, TrafficLine } from '../../../delivery/traffic-lines.ts';
import { isObject } from '../../../json.ts';

/** Writes a line as JSON, whole. */
export function asJson(line: TrafficLine): string {
  return JSON.stringify(line, null, 2);
}

/** Writes a call of the Web API as a command line; the token is the shell's `SLACK_BOT_TOKEN`. */
export function asCurl({ kind, payload }: Exchange, origin: string): string {
  const token = kind === 'apps.connections.open' ? 'SLACK_APP_TOKEN' : 'SLACK_BOT_TOKEN';
  const fields = Object.entries(isObject(payload) ? payload : {}).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `--data-urlencode ${quoted(`${name}=${text}`)}`;
  });
  const head = `curl -X POST ${quoted(`${origin}/api/${kind}`)}`;
  return [head, `-H "Authorization: Bearer $${token}"`, ...fields].join(' \\\n  ');
}

/** Quotes text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
