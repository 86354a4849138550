import { isObject } from '../../../../json.ts';
import type { Exchange, TrafficLine } from '../../../../traffic/traffic-lines.ts';

/** Formats a whole line as JSON. */
export function toJson(line: TrafficLine): string {
  return JSON.stringify(line, null, 2);
}

/** Formats a Web API call as a curl command. The command reads the token from `SLACK_BOT_TOKEN`. */
export function toCurl({ kind, payload }: Exchange, origin: string): string {
  const token = kind === 'apps.connections.open' ? 'SLACK_APP_TOKEN' : 'SLACK_BOT_TOKEN';
  const fields = Object.entries(isObject(payload) ? payload : {}).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `--data-urlencode ${quoteShell(`${name}=${text}`)}`;
  });
  const head = `curl -X POST ${quoteShell(`${origin}/api/${kind}`)}`;
  return [head, `-H "Authorization: Bearer $${token}"`, ...fields].join(' \\\n  ');
}

/** Quotes text for a POSIX shell. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
