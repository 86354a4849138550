/** The slash command that the manifest declares. */
export const slashCommandName = '/vps';
