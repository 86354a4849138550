/** Reports that come by themselves. */
export interface ReportTable {
  id: string;
  team_id: string;
  /** Unique in its workspace, but for what was deleted. */
  name: string;
  channel: string;
  made_by: string;
  made_at: number;
  recurrence: string;
  content: string;
  state: 'active' | 'paused' | 'deleted';
  /** One more each time that a person plans it anew. */
  revision: number;
  /** The time that is waited for, or worked on; none while it is not active. */
  next_at: number | null;
  /** Unique to each time that a process takes it up. */
  claim: string | null;
  lease_until: number;
  /** How often that time was taken up. */
  attempts: number;
  /** After a failure it is not taken up before this. */
  not_before: number;
  /** When its message was about to leave: without an end, it may have. */
  posting_at: number | null;
  /** The last time that was brought to its end. */
  ended_due: number | null;
  /** The first time since then that passed without a report. */
  skipped_since: number | null;
  paused_at: number | null;
  /** `null` where Rackhand did it. */
  paused_by: string | null;
  paused_reason: string | null;
  /** When whoever made it was told of the pause. */
  told_at: number | null;
  /** When a process took that up. */
  telling_at: number | null;
  /** The time of which whoever made it was told that its report could not be made so far. */
  unmade_due: number | null;
}

/** What a report told the last time: the next one compares itself with it. */
export interface ReportMemoryTable {
  report_id: string;
  reported: string;
}

/** A VPS that nothing is to be said about for a while. */
export interface MuteTable {
  team_id: string;
  vps: string;
  until_at: number;
  muted_by: string;
}

/** The history of a VPS by the hour, as reports have read it. */
export interface VpsHoursTable {
  team_id: string;
  vps: string;
  from_at: number;
  until_at: number;
  hours: string;
}

/** Thresholds that are looked at by themselves. */
export interface WatchTable {
  id: string;
  team_id: string;
  /** Unique in its workspace, but for what was deleted. */
  name: string;
  channel: string;
  /** A name, or a pattern. */
  vps: string;
  condition: string;
  made_by: string;
  made_at: number;
  state: 'active' | 'paused' | 'deleted';
  /** One more with every change: whoever goes by an older one has lost it. */
  revision: number;
  /** How its VPS go. */
  courses: string;
  /** What its open message tells; none while nothing is over. */
  incident: string | null;
  /** That message. */
  message_ts: string | null;
  /** When it was about to leave: without a `message_ts`, it may have. */
  posting_at: number | null;
  paused_at: number | null;
  /** `null` where Rackhand did it. */
  paused_by: string | null;
  paused_reason: string | null;
  /** When whoever made it was told of the pause. */
  told_at: number | null;
  /** When a process took that up. */
  telling_at: number | null;
}

/** When the watches of a workspace are looked at, and how far the last round came. */
export interface WatchRoundTable {
  team_id: string;
  next_at: number;
  /** The VPS that was read last: the next round goes on behind it. */
  last_vps: string | null;
  /** How often each VPS is read at present. */
  every_ms: number | null;
  /** Calls of the last round. */
  calls: number;
  /** Unique to each round of a process. */
  claim: string | null;
  lease_until: number;
}
