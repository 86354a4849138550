import type { z } from 'zod';
import { validateShape } from '../block-kit/validation/validate-shape.ts';
import type { Core } from '../core.ts';
import type { JsonObject } from '../json.ts';
import { once } from '../once.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Tier } from './rate-limits.ts';
import { assertNoProblems } from './slack-error.ts';

interface MethodBase {
  readonly name: string;
  readonly tier: Tier;
  /** Whether Slack reads a JSON body. It ignores one in methods meant for GET. */
  readonly acceptsJson: boolean;
}

/** A method called with a bot token or a user token. */
export interface BotMethod extends MethodBase {
  readonly token: 'bot';
  /** One of these scopes is enough. If there are none, every token is accepted. */
  readonly scopes: readonly string[];
  /** Whose tokens it accepts. */
  readonly callers: 'bots' | 'people' | 'everyone';
  /** Whether a call with an organization's token doesn't have to name a workspace. */
  readonly isForOrganization: boolean;
  handle(raw: JsonObject, core: Core, workspace: Workspace): JsonObject | Promise<JsonObject>;
}

/** A method that is called with the app-level token, or without a token. */
export interface AppMethod extends MethodBase {
  readonly token: 'app' | 'none';
  handle(raw: JsonObject, core: Core): JsonObject | Promise<JsonObject>;
}

export type Method = BotMethod | AppMethod;

interface BotMethodDefinition<Args extends z.ZodObject> {
  readonly name: string;
  readonly tier: Tier;
  readonly scopes?: readonly string[];
  readonly acceptsJson?: boolean;
  readonly isForOrganization?: boolean;
  /** Defaults to `everyone`. */
  readonly callers?: BotMethod['callers'];
  /** Creates the schema of the arguments at the first call. Creating those of all methods takes time and memory. */
  readonly args: () => Args;
  run(args: z.output<Args>, core: Core, workspace: Workspace): JsonObject | Promise<JsonObject>;
}

/**
 * Defines a Web API method: its requirements, arguments and behavior. The handler returns the
 * fields of the response beside `ok`.
 */
export function defineMethod<Args extends z.ZodObject>(declaration: BotMethodDefinition<Args>): BotMethod {
  const {
    args,
    run,
    scopes = [],
    acceptsJson = true,
    isForOrganization = false,
    callers = 'everyone',
    ...facts
  } = declaration;
  const schema = once(args);
  return {
    ...facts,
    scopes,
    acceptsJson,
    isForOrganization,
    callers,
    token: 'bot',
    handle: (raw, core, workspace) => run(parseArguments(schema(), raw), core, workspace),
  };
}

interface AppMethodDefinition<Args extends z.ZodObject> {
  readonly name: string;
  readonly tier: Tier;
  readonly token: AppMethod['token'];
  readonly args: () => Args;
  run(args: z.output<Args>, core: Core): JsonObject | Promise<JsonObject>;
}

/** Defines a method that doesn't belong to a workspace. */
export function defineAppMethod<Args extends z.ZodObject>(declaration: AppMethodDefinition<Args>): AppMethod {
  const { args, run, ...facts } = declaration;
  const schema = once(args);
  return { ...facts, acceptsJson: true, handle: (raw, core) => run(parseArguments(schema(), raw), core) };
}

function parseArguments<Args extends z.ZodObject>(args: Args, raw: JsonObject): z.output<Args> {
  const result = args.safeParse(raw);
  if (result.success) return result.data;
  assertNoProblems(validateShape(args, raw, ''), 'invalid_arguments');
  throw result.error;
}
