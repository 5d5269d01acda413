import type { Command } from 'commander';
import { answerOf, dataDirOf, withInstance, type CommandIo } from '../../cli/session.js';
import { printChanges } from './print-changes.js';

const ACTIONS = {
  pause: 'Stop a campaign until it is resumed.',
  resume: 'Let a paused campaign deliver again.',
  end: 'End a campaign. Only a catalog file or PATCH /campaigns/ID can start it again.',
} as const;

/** Adds `campaign pause`, `campaign resume` and `campaign end`. */
export function addCampaignCommands(program: Command, io: CommandIo): void {
  const campaign = program.command('campaign').description('Campaigns: pause, resume, end.');
  for (const action of ['pause', 'resume', 'end'] as const) {
    campaign
      .command(action)
      .description(ACTIONS[action])
      .argument('<ID>', 'id of the campaign')
      .action((id: string, _options: object, command: Command) =>
        withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
          const call = client.POST(`/campaigns/{id}/${action}`, { params: { path: { id } } });
          printChanges(io, await answerOf(call));
        }),
      );
  }
}
