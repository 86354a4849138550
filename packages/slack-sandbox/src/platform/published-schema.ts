import { z } from 'zod';

const text = (max: number, min = 0) => z.string().min(min).max(max).optional();
const texts = (max: number, length: number) => z.array(z.string().max(length)).max(max).optional();
const webUrl = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^https?:\/\//, 'must begin with https://')
    .optional();
const domain = z.string().regex(/^(?![.-])[-a-z0-9.]+[a-z0-9]$/, 'must be a domain in lower case');
const prompts = z.array(z.looseObject({ title: z.string(), message: z.string() }));

/**
 * The limits and requirements of Slack's published schema (`slackapi/manifest-schema`, versions
 * 1.0.0 and 2.0.0, read on 23 November 2026) that the sandbox doesn't enforce. Slack's reference
 * and templates differ from the schema in places, so the sandbox only notes a difference.
 */
const publishedSchema = z.looseObject({
  display_information: z
    .looseObject({ description: text(140, 1), long_description: text(4000, 175) })
    .optional(),
  features: z
    .looseObject({
      functions: z.array(z.unknown()).max(50).optional(),
      shortcuts: z.array(z.unknown()).min(1).optional(),
      slash_commands: z
        .array(z.looseObject({ usage_hint: text(1000, 1), url: webUrl(3000) }))
        .min(1)
        .optional(),
      workflow_steps: z
        .array(z.looseObject({ name: z.string().min(1).max(50), callback_id: z.string().min(1).max(50) }))
        .min(1)
        .max(10)
        .optional(),
      unfurl_domains: z.array(domain.max(255)).min(1).optional(),
      assistant_view: z
        .looseObject({ assistant_description: z.string(), suggested_prompts: prompts.optional() })
        .optional(),
      agent_view: z
        .looseObject({
          agent_description: text(300),
          suggested_prompts: prompts.max(4).optional(),
          actions: z.array(z.looseObject({ name: z.string(), description: z.string() })).optional(),
        })
        .optional(),
    })
    .optional(),
  app_directory: z
    .looseObject({
      app_directory_categories: z.array(z.string().min(1).max(255)).max(3).optional(),
      direct_install_url: webUrl(255),
      installation_landing_page: z.string().max(255),
      privacy_policy_url: z.string().max(500),
      support_url: z.string().max(350),
      support_email: z.email().max(100),
      supported_languages: z.array(z.string().max(50)).min(1).max(50),
      pricing: z.string().min(1).max(30),
    })
    .optional(),
  oauth_config: z
    .looseObject({
      redirect_urls: texts(1000, 2500),
      scopes: z.looseObject({ bot_optional: texts(255, 50), user_optional: texts(255, 50) }).optional(),
    })
    .optional(),
  settings: z
    .looseObject({
      allowed_ip_address_ranges: z
        .array(z.union([z.ipv4(), z.cidrv4()], { error: 'must be an IPv4 address or range' }))
        .min(1)
        .max(50)
        .optional(),
      event_subscriptions: z
        .looseObject({
          request_url: webUrl(3500),
          metadata_subscriptions: z
            .array(z.looseObject({ app_id: z.string(), event_type: z.string().max(50) }))
            .min(1)
            .max(20)
            .optional(),
        })
        .optional(),
      interactivity: z
        .looseObject({ request_url: webUrl(3500), message_menu_options_url: webUrl(3500) })
        .optional(),
    })
    .optional(),
  outgoing_domains: z.array(domain.max(50)).max(10).optional(),
});

/** Returns the differences between a manifest and Slack's published schema, one sentence each. */
export function notePublishedSchema(manifest: unknown): string[] {
  const result = publishedSchema.safeParse(manifest);
  if (result.success) return [];
  return result.error.issues.map(
    ({ path, message }) => `Slack's published schema differs at ${z.core.toDotPath(path)}: ${message}.`,
  );
}
