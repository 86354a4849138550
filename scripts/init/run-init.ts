import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { createAppLink } from '../app-manifest.ts';
import { type CheckLine, formatCheckLine } from '../doctor/check-line.ts';
import { runChecks } from '../doctor/run-checks.ts';
import { findFormProblem, type Question, questions } from './questions.ts';
import type { Terminal } from './terminal.ts';

interface InitOptions {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The `.env` file. Each accepted answer is written to it at once. */
  readonly file: string;
}

/** Asks for the settings that are missing, and checks the installation. Returns the exit code. */
export async function runInit({ terminal, env, file }: InitOptions): Promise<number> {
  const { say } = terminal;
  const settings: Record<string, string | undefined> = { ...readEnvFile(file), ...env };
  const isSet = (name: string) => Boolean(settings[name]?.trim() || settings[`${name}_FILE`]?.trim());
  const save = (name: string, value: string) => {
    settings[name] = value;
    writeSetting(file, name, value);
  };
  // Over HTTP, Slack needs no app-level token.
  const missing = questions.filter(
    ({ name }) => !isSet(name) && !(name === 'SLACK_APP_TOKEN' && isSet('SLACK_SIGNING_SECRET')),
  );

  if (!terminal.isInteractive) {
    if (missing.length > 0) say(describeMissing(missing, file));
    return missing.some(({ ifEmpty }) => ifEmpty === undefined) ? 1 : 0;
  }
  if (!isSet('SLACK_BOT_TOKEN')) {
    say(`First create the Slack app. This link opens Slack's page with the manifest filled in:\n`);
    say(`${createAppLink(readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8'))}\n`);
    say('Choose your workspace, press Create, and then Install to Workspace.');
  }
  for (const [index, question] of missing.entries()) {
    say(`\n${index + 1} of ${missing.length}: ${question.label}\n${question.where}`);
    const answer = await askUntilValid(terminal, question, settings);
    if (answer === undefined) {
      say(`\nYour answers so far are in ${file}. Run npm run init again to go on.`);
      return 1;
    }
    if (answer !== '') save(question.name, answer);
  }
  if (!isSet('ENCRYPTION_KEYS')) {
    save('ENCRYPTION_KEYS', randomBytes(32).toString('base64'));
    say(`\nAn encryption key was added to ${file}. Keep a copy: without it, stored data can't be read.`);
  }

  say('\nChecking the installation:');
  const isReady = await sayChecks(runChecks(settings), formatCheckLine, say);
  say(
    isReady
      ? '\nStart Rackhand with npm start. Now type /vps in Slack.'
      : '\nCorrect the errors above, and check again with npm run doctor.',
  );
  return isReady ? 0 : 1;
}

/** Returns an accepted answer, an empty one if the question was skipped, or undefined at the end of the input. */
async function askUntilValid(
  { ask, say }: Terminal,
  question: Question,
  settings: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const { isSecret = false, ifEmpty } = question;
  const prompt = ifEmpty === undefined ? '> ' : '(press Enter to skip) > ';
  for (;;) {
    const answer = await ask(prompt, { isSecret });
    if (answer === undefined) return undefined;
    if (answer === '') {
      if (ifEmpty === undefined) continue;
      say(ifEmpty);
      return '';
    }
    const problem = findFormProblem(question, answer);
    if (problem !== undefined) say(`✗ ${problem}`);
    else if (await sayChecks(question.check(answer, settings), formatMarked, say)) return answer;
  }
}

const formatMarked = ({ status, message }: CheckLine) =>
  `${{ OK: '✓', warning: '!', error: '✗' }[status]} ${message}`;

/** Prints each check. Returns whether none found an error. */
async function sayChecks(
  lines: AsyncIterable<CheckLine>,
  format: (line: CheckLine) => string,
  say: (text: string) => void,
): Promise<boolean> {
  let hasError = false;
  for await (const line of lines) {
    say(format(line));
    hasError ||= line.status === 'error';
  }
  return !hasError;
}

function describeMissing(missing: readonly Question[], file: string): string {
  const list = missing.map(
    ({ name, label, where, ifEmpty }) =>
      `${name}=…\n  ${label}. ${where}${ifEmpty === undefined ? '' : ` Optional. ${ifEmpty}`}`,
  );
  return [
    `There is no terminal to ask in. Set these in the environment or in ${file}:`,
    ...list,
    'ENCRYPTION_KEYS=…\n  The output of: openssl rand -base64 32',
  ].join('\n\n');
}

/** Returns the settings in a `.env` file, or none if there is no file. */
function readEnvFile(file: string): Record<string, string | undefined> {
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

/** Sets one setting in a `.env` file. Other lines stay. Only this user can read the file afterwards. */
function writeSetting(file: string, name: string, value: string): void {
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
