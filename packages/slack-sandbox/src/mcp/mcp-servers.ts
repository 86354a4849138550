import { z } from 'zod';

/** From the manifest reference at docs.slack.dev, `mcp_servers`. */
const maxServers = 20;

/** The manifest's `mcp_servers`: the app's MCP servers, which Slackbot calls, by key. */
export const mcpServersSchema = z
  .record(
    z.string().min(1),
    z.looseObject({
      url: z.url({ protocol: /^https?$/ }).max(500),
      auth_type: z
        .enum(['dynamic_client_registration', 'no_auth', 'manual_auth', 'slack_identity_auth'])
        .default('no_auth'),
      headers: z.record(z.string(), z.string()).default({}),
    }),
  )
  .refine((servers) => Object.keys(servers).length <= maxServers, `must be up to ${maxServers} servers`)
  .default({});

export type McpServer = z.output<typeof mcpServersSchema>[string];
