import { settingsSchema } from '../../src/config/settings-schema.ts';
import type { Config } from '../../src/config.ts';
import { type CheckLine, createLines } from '../doctor/check-line.ts';
import { checkHostingKey } from '../doctor/check-service.ts';
import { checkSlack } from '../doctor/check-slack.ts';

type Settings = Readonly<Record<string, string | undefined>>;

/** A setting that `npm run init` asks for. */
export interface Question {
  readonly name: keyof typeof settingsSchema.shape;
  readonly label: string;
  /** Where a person finds the value. */
  readonly where: string;
  readonly isSecret?: boolean;
  /** What happens if it is left empty. Without this, it has to be answered. */
  readonly ifEmpty?: string;
  /** Tries the value with the settings known so far. */
  check(value: string, settings: Settings): AsyncIterable<CheckLine>;
}

/** The questions, in the order in which a person sets up the app. */
export const questions: readonly Question[] = [
  {
    name: 'SLACK_BOT_TOKEN',
    label: 'Bot token (xoxb-…)',
    where: "In the app's settings at Slack: Install App, then Bot User OAuth Token.",
    isSecret: true,
    check: (botToken, settings) =>
      checkSlack({
        slack: { apiUrl: readApiUrl(settings), delivery: { mode: 'http', signingSecret: '' } },
        workspace: { botToken },
      }),
  },
  {
    name: 'SLACK_APP_TOKEN',
    label: 'App-level token (xapp-…)',
    where:
      "In the app's settings at Slack: Basic Information, App-Level Tokens, Generate Token and Scopes. Add the scope connections:write.",
    isSecret: true,
    check: (appToken, settings) =>
      checkSlack({ slack: { apiUrl: readApiUrl(settings), delivery: { mode: 'socket', appToken } } }),
  },
  {
    name: 'HOSTING_API_URL',
    label: 'URL of the hosting service (https://…, without /v1)',
    where: "In the hosting service's API documentation.",
    check: checkServiceUrl,
  },
  {
    name: 'HOSTING_API_KEY',
    label: 'API key of the hosting account',
    where: "In the hosting service's dashboard, under /services/addons/api-access.",
    isSecret: true,
    ifEmpty: 'You can connect a key later: type /vps connect in Slack.',
    async *check(apiKey, settings) {
      const header = settingsSchema.shape.HOSTING_KEY_HEADER.safeParse(settings.HOSTING_KEY_HEADER);
      yield await checkHostingKey({
        workspace: { botToken: '', apiKey },
        hosting: {
          baseUrl: settings.HOSTING_API_URL ?? '',
          keyHeader: header.data ?? 'authorization',
          pathOverrides: {},
          vpsActions: ['reboot'],
        },
      });
    },
  },
];

/** Returns what is wrong with the form of a value, or undefined. */
export function findFormProblem({ name }: Question, value: string): string | undefined {
  const result = settingsSchema.shape[name].safeParse(value);
  return result.success ? undefined : `This value ${result.error.issues[0]?.message ?? 'is not valid'}.`;
}

function readApiUrl(settings: Settings): Config['slack']['apiUrl'] {
  return settings.SLACK_API_URL?.trim() || 'https://slack.com/api/';
}

/** Any answer shows that the address is right: without a key, the service rejects the call. */
async function* checkServiceUrl(url: string): AsyncGenerator<CheckLine> {
  const { ok, error } = createLines('hosting service');
  try {
    const { status } = await fetch(`${url.replace(/\/+$/, '')}/v1`, { signal: AbortSignal.timeout(10_000) });
    yield status === 404
      ? error(`A server answers at ${url}, but it has no /v1.`)
      : ok(`The hosting service answers at ${url}.`);
  } catch {
    yield error(`Nothing answers at ${url}. Check the address and the network.`);
  }
}
