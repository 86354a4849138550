import { z } from 'zod';
import { type FunctionDefinition, functionsSchema } from './functions/function-schema.ts';
import { type McpServer, mcpServersSchema } from './mcp/mcp-servers.ts';
import { eventScopes } from './platform/event-scopes.ts';
import { listManifestNotes } from './platform/manifest-notes.ts';
import { readDocument } from './read-document.ts';

/** The parts of the manifest that the sandbox uses. */
export interface AppManifest {
  readonly name: string;
  readonly botName: string;
  readonly scopes: ReadonlySet<string>;
  /** The user scopes that the app asks for. */
  readonly userScopes: ReadonlySet<string>;
  /** Redirect URLs that OAuth allows. */
  readonly redirectUrls: readonly string[];
  /** Whether Slack issues tokens that expire, with refresh tokens. */
  readonly rotatesTokens: boolean;
  /** Whether organizations can install the app for all their workspaces. */
  readonly isOrgDeployable: boolean;
  readonly commands: readonly SlashCommand[];
  readonly shortcuts: readonly Shortcut[];
  /** Names of the bot events to which the app subscribes. */
  readonly events: ReadonlySet<string>;
  /** Names of the events to which the app subscribes in the name of people. */
  readonly userEvents: ReadonlySet<string>;
  readonly hasHomeTab: boolean;
  readonly messagesTab: 'off' | 'read-only' | 'open';
  readonly isInteractive: boolean;
  /** The URLs that the manifest names for payloads over HTTP. Commands have their own. */
  readonly requestUrls: {
    readonly events: string | undefined;
    readonly interactivity: string | undefined;
    readonly options: string | undefined;
  };
  /** Whether menus can load options over HTTP. Over Socket Mode, they always can. */
  readonly hasOptionsUrl: boolean;
  /** Domains of links for which the app gets `link_shared`. */
  readonly unfurlDomains: readonly string[];
  /** Whether people can open the app as an assistant. */
  readonly isAssistant: boolean;
  /** Whether the app is an agent, which has sessions that people can stop. */
  readonly isAgent: boolean;
  /** The app's steps for Workflow Builder, by callback ID. */
  readonly functions: Readonly<Record<string, FunctionDefinition>>;
  /** The app's MCP servers, by key. */
  readonly mcpServers: Readonly<Record<string, McpServer>>;
  /** Types of message metadata about which the app gets events. */
  readonly metadataTypes: ReadonlySet<string>;
  /** Whether every command and shortcut exists, because the app has no manifest. */
  readonly isPermissive: boolean;
  /** Warnings about parts of the manifest that the sandbox doesn't know or support, one sentence each. */
  readonly notes: readonly string[];
}

export type SlashCommand = z.infer<typeof slashCommandSchema>;
type Shortcut = z.infer<typeof shortcutSchema>;

const url = z.url({ protocol: /^https?$/ });
const flag = z.boolean().default(false);

const scopeList = z.array(z.string().min(1)).max(255).default([]);

const slashCommandSchema = z.looseObject({
  command: z.string().regex(/^\/[^\s/]{1,31}$/, 'must be "/" and 1 to 31 characters without spaces'),
  description: z.string().min(1).max(2000),
  usage_hint: z.string().max(1000).optional(),
  url: url.optional(),
  should_escape: flag,
});

const shortcutSchema = z.looseObject({
  name: z.string().min(1).max(24),
  type: z.enum(['message', 'global']),
  callback_id: z.string().min(1).max(255),
  description: z.string().min(1).max(150),
});

// Lengths and counts are from docs.slack.dev/reference/app-manifest.
const manifestSchema = z.looseObject({
  display_information: z.looseObject({
    name: z.string().min(1).max(35),
    description: z.string().max(140).optional(),
    // Slack's own tools write an empty one, although its reference asks for 174 characters.
    long_description: z.union([z.literal(''), z.string().min(174).max(4000)]).optional(),
    background_color: z
      .string()
      .regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i)
      .optional(),
  }),
  features: z
    .looseObject({
      app_home: z
        .looseObject({
          home_tab_enabled: flag,
          messages_tab_enabled: z.boolean().default(true),
          messages_tab_read_only_enabled: z.boolean().default(true),
        })
        .prefault({}),
      bot_user: z.looseObject({ display_name: z.string().min(1).max(80), always_online: flag }).optional(),
      shortcuts: z.array(shortcutSchema).max(10).default([]),
      unfurl_domains: z.array(z.string()).max(5).default([]),
      assistant_view: z.looseObject({}).optional(),
      agent_view: z.looseObject({}).optional(),
      slash_commands: z.array(slashCommandSchema).max(50).default([]),
    })
    .prefault({}),
  functions: functionsSchema,
  mcp_servers: mcpServersSchema,
  oauth_config: z
    .looseObject({
      redirect_urls: z.array(url).max(1000).default([]),
      scopes: z.looseObject({ bot: scopeList, user: scopeList }).prefault({}),
    })
    .prefault({}),
  settings: z
    .looseObject({
      event_subscriptions: z
        .looseObject({
          request_url: url.optional(),
          bot_events: z.array(z.string()).max(100).default([]),
          user_events: z.array(z.string()).max(100).default([]),
          metadata_subscriptions: z
            .array(z.looseObject({ event_type: z.string() }))
            .max(50)
            .default([]),
        })
        .prefault({}),
      interactivity: z
        .looseObject({
          is_enabled: z.boolean(),
          request_url: url.optional(),
          message_menu_options_url: url.optional(),
        })
        .prefault({ is_enabled: false }),
      org_deploy_enabled: flag,
      socket_mode_enabled: flag,
      token_rotation_enabled: flag,
    })
    .prefault({}),
});

type ManifestDocument = z.infer<typeof manifestSchema>;

/**
 * Reads a manifest from a YAML or JSON file, or from an object. Throws an error that lists all
 * problems.
 */
export function readManifest(source: string | object): AppManifest {
  const label = typeof source === 'string' ? source : 'manifest';
  const declaration = typeof source === 'string' ? readDocument('Slack app manifest', source) : source;
  const result = manifestSchema.safeParse(declaration);
  const problems = result.success ? findContradictions(result.data) : formatIssues(result.error);
  if (!result.success || problems.length > 0) {
    throw new Error(
      `${label} is not a valid Slack app manifest:\n${problems.map((p) => `- ${p}`).join('\n')}`,
    );
  }
  return toAppManifest(result.data, declaration);
}

function formatIssues(error: z.ZodError): string[] {
  return error.issues.map((issue) => `${z.core.toDotPath(issue.path) || 'the document'}: ${issue.message}`);
}

function findContradictions({ features, oauth_config, settings }: ManifestDocument): string[] {
  const { bot: scopes, user: userScopes } = oauth_config.scopes;
  const problems: string[] = [];
  const need = (scope: string, what: string) => {
    if (!scopes.includes(scope)) problems.push(`${what} needs the bot scope ${scope}`);
  };
  if (features.slash_commands.length + features.shortcuts.length > 0) {
    need('commands', 'a slash command or shortcut');
  }
  for (const event of settings.event_subscriptions.bot_events) {
    const needed = eventScopes[event] ?? [];
    if (needed.length > 0 && !needed.some((scope) => scopes.includes(scope))) {
      problems.push(`the event ${event} needs the bot scope ${needed.join(' or ')}`);
    }
  }
  for (const event of settings.event_subscriptions.user_events) {
    const needed = eventScopes[event] ?? [];
    if (needed.length > 0 && !needed.some((scope) => userScopes.includes(scope))) {
      problems.push(`the user event ${event} needs the user scope ${needed.join(' or ')}`);
    }
  }
  if (scopes.length > 0 && !features.bot_user) problems.push('bot scopes need features.bot_user');
  if (features.shortcuts.length > 0 && !settings.interactivity.is_enabled) {
    problems.push('shortcuts need settings.interactivity.is_enabled');
  }
  return problems;
}

function toAppManifest(
  { display_information, features, functions, mcp_servers, oauth_config, settings }: ManifestDocument,
  declaration: unknown,
): AppManifest {
  const scopes = new Set(oauth_config.scopes.bot);
  const userScopes = new Set(oauth_config.scopes.user);
  const events = new Set(settings.event_subscriptions.bot_events);
  const userEvents = new Set(settings.event_subscriptions.user_events);
  const { home_tab_enabled, messages_tab_enabled, messages_tab_read_only_enabled } = features.app_home;
  const tab = messages_tab_read_only_enabled ? 'read-only' : 'open';
  return {
    name: display_information.name,
    botName: features.bot_user?.display_name ?? display_information.name,
    scopes,
    userScopes,
    redirectUrls: oauth_config.redirect_urls,
    rotatesTokens: settings.token_rotation_enabled,
    isOrgDeployable: settings.org_deploy_enabled,
    commands: features.slash_commands,
    shortcuts: features.shortcuts,
    events,
    userEvents,
    hasHomeTab: home_tab_enabled,
    messagesTab: messages_tab_enabled ? tab : 'off',
    isInteractive: settings.interactivity.is_enabled,
    requestUrls: {
      events: settings.event_subscriptions.request_url,
      interactivity: settings.interactivity.request_url,
      options: settings.interactivity.message_menu_options_url,
    },
    hasOptionsUrl:
      settings.socket_mode_enabled || settings.interactivity.message_menu_options_url !== undefined,
    unfurlDomains: features.unfurl_domains,
    isAssistant: features.assistant_view !== undefined,
    isAgent: features.agent_view !== undefined,
    functions,
    mcpServers: mcp_servers,
    metadataTypes: new Set(
      settings.event_subscriptions.metadata_subscriptions.map(({ event_type }) => event_type),
    ),
    isPermissive: false,
    notes: listManifestNotes(declaration, {
      events: new Set([...events, ...userEvents]),
      scopes: new Set([...scopes, ...userScopes]),
    }),
  };
}
