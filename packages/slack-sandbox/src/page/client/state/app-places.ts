import type { AppData } from './control-api.ts';

/** The places in which the page shows an app to a person. */
export interface AppPlaces {
  /** The Home tab, as a place of the address. */
  readonly home: string;
  /** The direct messages, as a place of the address. */
  readonly messages: string;
  /** ID of the direct messages. */
  readonly channel: string;
}

/** Returns the places of an app. Those of the first app name no app, so that their links stay short. */
export function appPlacesOf({ number, user_id: botUser }: AppData, user: string): AppPlaces {
  const channel = `D${user.slice(1)}`;
  return number === 1
    ? { home: 'home', messages: user, channel }
    : { home: `home-${number}`, messages: botUser, channel: `${channel}${number}` };
}
