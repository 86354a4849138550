import type { JsonObject } from '../json.ts';

/** A call of another service that the app has registered. */
export interface RegisteredCall {
  readonly id: string;
  readonly externalUniqueId: string;
  joinUrl: string;
  title: string | undefined;
  externalDisplayId: string | undefined;
  desktopAppJoinUrl: string | undefined;
  readonly startSeconds: number;
  hasEnded: boolean;
  /** People of the workspace have `slack_id`, others `external_id` and `display_name`. */
  participants: readonly JsonObject[];
}

/** Describes a call like `calls.info` does. */
export function toCallObject(call: RegisteredCall): JsonObject {
  const { title, externalDisplayId, desktopAppJoinUrl, participants } = call;
  return {
    id: call.id,
    date_start: call.startSeconds,
    external_unique_id: call.externalUniqueId,
    join_url: call.joinUrl,
    ...(desktopAppJoinUrl !== undefined && { desktop_app_join_url: desktopAppJoinUrl }),
    ...(externalDisplayId !== undefined && { external_display_id: externalDisplayId }),
    ...(title !== undefined && { title }),
    users: participants,
  };
}
