import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isObject } from './json.ts';

/** Reads a YAML or JSON file. Throws an error that names the file, and what it is for. */
export function readDocument(purpose: string, path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = isObject(cause) && cause.code === 'ENOENT' ? ': there is no such file' : '';
    throw new Error(`The ${purpose} ${path} cannot be read${reason}`, { cause });
  }
  try {
    return parse(text);
  } catch (cause) {
    // Only the first line is used, because the other lines draw the location.
    const reason = cause instanceof Error ? `: ${cause.message.split('\n', 1)[0]}` : '';
    throw new Error(`${path} is neither YAML nor JSON${reason}`, { cause });
  }
}
