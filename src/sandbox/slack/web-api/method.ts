import type { z } from 'zod';
import { checkShape } from '../block-kit/problem.ts';
import type { Core } from '../core.ts';
import type { JsonObject } from '../json.ts';
import type { Workspace } from '../world/workspace.ts';
import type { Tier } from './rate-limits.ts';
import { refuseIf } from './slack-error.ts';

interface Facts {
  readonly name: string;
  readonly tier: Tier;
  /** Whether Slack reads a JSON body; it ignores those of methods that are meant for GET. */
  readonly acceptsJson: boolean;
}

/** A method called with a workspace's bot token. */
export interface BotMethod extends Facts {
  readonly token: 'bot';
  /** Any one of them is enough; none means that every token may call it. */
  readonly scopes: readonly string[];
  /** Whether the token of an organisation may call it without naming a workspace. */
  readonly isForOrganisation: boolean;
  handle(raw: JsonObject, core: Core, workspace: Workspace): JsonObject | Promise<JsonObject>;
}

/** A method called with the app-level token, or with none. */
export interface AppMethod extends Facts {
  readonly token: 'app' | 'none';
  handle(raw: JsonObject, core: Core): JsonObject | Promise<JsonObject>;
}

export type Method = BotMethod | AppMethod;

interface BotDeclaration<Args extends z.ZodObject> {
  readonly name: string;
  readonly tier: Tier;
  readonly scopes?: readonly string[];
  readonly acceptsJson?: boolean;
  readonly isForOrganisation?: boolean;
  readonly args: Args;
  run(args: z.output<Args>, core: Core, workspace: Workspace): JsonObject | Promise<JsonObject>;
}

/** Declares a method of the Web API: what it needs, what it takes, what it does. It answers what stands beside `ok`. */
export function defineMethod<Args extends z.ZodObject>(declaration: BotDeclaration<Args>): BotMethod {
  const { args, run, scopes = [], acceptsJson = true, isForOrganisation = false, ...facts } = declaration;
  return {
    ...facts,
    scopes,
    acceptsJson,
    isForOrganisation,
    token: 'bot',
    handle: (raw, core, workspace) => run(read(args, raw), core, workspace),
  };
}

interface AppDeclaration<Args extends z.ZodObject> {
  readonly name: string;
  readonly tier: Tier;
  readonly token: AppMethod['token'];
  readonly args: Args;
  run(args: z.output<Args>, core: Core): JsonObject | Promise<JsonObject>;
}

/** Declares a method that belongs to no workspace. */
export function defineAppMethod<Args extends z.ZodObject>(declaration: AppDeclaration<Args>): AppMethod {
  const { args, run, ...facts } = declaration;
  return { ...facts, acceptsJson: true, handle: (raw, core) => run(read(args, raw), core) };
}

function read<Args extends z.ZodObject>(args: Args, raw: JsonObject): z.output<Args> {
  const result = args.safeParse(raw);
  if (result.success) return result.data;
  refuseIf(checkShape(args, raw, ''), 'invalid_arguments');
  throw result.error;
}
