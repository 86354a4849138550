import type { Logger } from 'pino';
import type { PeriodicJob } from '../jobs/job-kind.ts';
import type { BotTokens, Installation, InstallationStore } from './installation-store.ts';

/** Gets new tokens from Slack in exchange for old ones. */
export interface TokenIssuer {
  /** Exchanges a refresh token for new tokens. A refresh token can be used only once. */
  refresh(refreshToken: string): Promise<IssuedTokens | RefusedTokens>;
  /** Exchanges a bot token that never expires for a token that does, and a refresh token. */
  exchange(botToken: string): Promise<IssuedTokens | RefusedTokens>;
}

export interface IssuedTokens {
  readonly kind: 'issued';
  readonly botToken: string;
  readonly refreshToken: string;
  readonly lifetimeMs: number;
}

export interface RefusedTokens {
  readonly kind: 'refused';
  /** Slack's error code. A retry would fail in the same way. */
  readonly reason: string;
}

const intervalMs = 5 * 60_000;

/** How long (ms) before its expiry a token is replaced. Slack's tokens are valid for 12 hours. */
const aheadMs = 2 * 60 * 60_000;

interface TokenRotationDependencies {
  readonly installations: Pick<InstallationStore, 'listToRotate' | 'findFresh' | 'rotate'>;
  readonly issuer: TokenIssuer;
  /** Whether tokens that never expire are exchanged for rotating ones. */
  readonly migratesTokens: boolean;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

/**
 * Creates the job that replaces bot tokens before they expire. Only one replica runs it, because a
 * refresh token can be used only once.
 */
export function createTokenRotation({
  installations,
  issuer,
  migratesTokens,
  log,
}: TokenRotationDependencies): PeriodicJob {
  /**
   * Tokens that Slack has issued but that aren't stored yet. They must not be lost, because the previous
   * refresh token is used up.
   */
  const unsaved = new Map<string, { readonly installation: Installation; readonly tokens: BotTokens }>();

  async function save(installation: Installation, tokens: BotTokens): Promise<void> {
    const { teamId } = installation;
    unsaved.set(teamId, { installation, tokens });
    const isSaved = await installations.rotate(installation, tokens);
    unsaved.delete(teamId);
    if (isSaved) log.info({ teamId }, 'the Slack token of a workspace was rotated');
  }

  async function rotate(teamId: string, nowMs: number): Promise<void> {
    const installation = await installations.findFresh(teamId);
    if (!installation) return;
    const { rotation, botToken } = installation;
    const issued = await (rotation ? issuer.refresh(rotation.refreshToken) : issuer.exchange(botToken));
    if (issued.kind === 'refused') {
      log.error({ teamId, reason: issued.reason }, 'Slack refused to rotate the token of a workspace');
      return;
    }
    const { refreshToken, lifetimeMs } = issued;
    const tokens = {
      botToken: issued.botToken,
      rotation: { refreshToken, expiresMs: nowMs + lifetimeMs },
    };
    await save(installation, tokens);
  }

  return {
    name: 'token-rotation',
    intervalMs,
    async run({ clock, signal }) {
      const failures: unknown[] = [];
      const attempt = async (teamId: string, task: () => Promise<void>) => {
        signal.throwIfAborted();
        await task().catch((error: unknown) => {
          failures.push(error);
          log.error({ err: error, teamId }, 'the Slack token of a workspace could not be rotated');
        });
      };
      for (const [teamId, { installation, tokens }] of [...unsaved]) {
        await attempt(teamId, () => save(installation, tokens));
      }
      const teamIds = await installations.listToRotate(clock.now() + aheadMs, migratesTokens);
      for (const teamId of teamIds) {
        if (!unsaved.has(teamId)) await attempt(teamId, () => rotate(teamId, clock.now()));
      }
      // Throwing an error makes the job retry after a minute.
      if (failures.length > 0) throw failures[0];
    },
  };
}
