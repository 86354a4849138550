/** The person who made a request, by the IDs in Slack's signed payload. */
export interface Actor {
  readonly teamId: string;
  readonly userId: string;
}

/** Where a request was made. Without a channel, no one else can see the request or its result. */
export interface Origin {
  readonly channel?: string;
  readonly threadTs?: string;
  /** The key of the message whose thread shows the run. */
  readonly threadKey?: string;
  /** Set if the channel is the actor's direct messages with the app, which no one else can read. */
  readonly isDirectMessage?: true;
  /** The name of the schedule, if a schedule made the request on the actor's behalf. */
  readonly schedule?: string;
  /** Slack's response URL. It works for 30 minutes, even in channels that the app isn't a member of. */
  readonly responseUrl?: string;
}
