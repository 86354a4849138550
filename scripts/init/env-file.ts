import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Returns the settings in a `.env` file, or none if there is no file. */
export function readEnvFile(file: string): Record<string, string | undefined> {
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

/** Sets one setting in a `.env` file. Other lines stay. Only this user can read the file afterwards. */
export function writeSetting(file: string, name: string, value: string): void {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const kept = lines.filter((line) => !line.trimStart().startsWith(`${name}=`));
  while (kept.at(-1)?.trim() === '') kept.pop();
  const temporary = `${file}.new`;
  writeFileSync(temporary, `${[...kept, `${name}=${quote(value)}`].join('\n')}\n`, { mode: 0o600 });
  // The mode above has no effect on a file that an earlier attempt left behind.
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}

/** Quotes a value that has special characters for Node.js or Docker Compose. */
function quote(value: string): string {
  if (/^[\w.,:/+=@%-]*$/.test(value)) return value;
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}
