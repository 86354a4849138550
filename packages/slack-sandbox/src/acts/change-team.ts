import type { Core } from '../core.ts';
import { announceEvent } from '../delivery/announce-event.ts';
import type { Workspace } from '../workspace/workspace.ts';

interface TeamChange {
  readonly name?: string | undefined;
  readonly domain?: string | undefined;
  readonly email_domain?: string | undefined;
}

/** Renames a workspace, or changes its domains, and tells the apps. */
export function changeTeam(
  core: Core,
  workspace: Workspace,
  { name, domain, email_domain: emailDomain }: TeamChange,
): void {
  const { team } = workspace;
  if (name !== undefined) {
    team.name = name;
    announceEvent(core, workspace, { event: { type: 'team_rename', name } });
  }
  if (domain !== undefined) {
    team.domain = domain;
    const url = `https://${domain}.slack.com`;
    announceEvent(core, workspace, { event: { type: 'team_domain_change', url, domain } });
  }
  if (emailDomain !== undefined) {
    team.emailDomain = emailDomain;
    announceEvent(core, workspace, {
      event: { type: 'email_domain_changed', email_domain: emailDomain, event_ts: core.ids.ts() },
    });
  }
  core.changes.publish({ kind: 'reset', team: team.id });
}
