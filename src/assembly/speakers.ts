import type { Logger } from 'pino';
import { createCharts } from '../charts/charts.ts';
import { createSlackClients, untilToldOf, whileSomebodyWaits } from '../slack/clients.ts';
import { createSlackLogger } from '../slack/logger.ts';
import { createPictures } from '../slack/pictures.ts';
import { createRecordVoice } from '../slack/record/voice.ts';
import { createReportVoice } from '../slack/reports/voice.ts';
import { createDirectory } from '../slack/standing.ts';
import { createTokenStates } from '../slack/token-state.ts';
import { createWatchVoice } from '../slack/watches/voice.ts';
import type { Installation, InstallationStore } from '../workspaces/installation-store.ts';

interface SpeakerParts {
  readonly apiUrl: string;
  readonly installations: InstallationStore;
  readonly onTokenRefused: (installation: Installation) => void;
  readonly log: Logger;
}

export type Speakers = ReturnType<typeof createSpeakers>;

/** Creates what speaks to Slack: each with as much patience as whoever is to hear of it. */
export function createSpeakers({ apiUrl, installations, onTokenRefused, log }: SpeakerParts) {
  const side = { apiUrl, logger: createSlackLogger(log), onTokenRefused };
  const clients = createSlackClients(installations, { ...side, retryConfig: whileSomebodyWaits });
  // Fails at once where Slack wants a pause: it is one report that waits then, and not the workspace.
  const quietClients = createSlackClients(installations, {
    ...side,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  });
  const createPatient = () => createSlackClients(installations, { ...side, retryConfig: untilToldOf });
  const charts = createCharts();
  const reports = createReportVoice({
    clients: quietClients,
    patientClients: createPatient(),
    pictures: createPictures(charts, clients, log),
  });
  return {
    clients,
    /** Have clients of their own, which no report makes wait. */
    announcerClients: createPatient(),
    charts,
    directory: createDirectory(clients, log),
    tokenStates: createTokenStates(side),
    reports,
    watches: createWatchVoice({ clients: quietClients, reportVoice: reports }),
    record: createRecordVoice(quietClients, log),
  };
}
