import type { Command } from 'commander';
import { answerOf, dataDirOf, onceOnly, withInstance, type CommandIo } from '../../cli/session.js';
import { bookingText } from './booking-output.js';

/** Adds `publisher payout`. */
export function addPublisherCommands(program: Command, io: CommandIo): void {
  const publisher = program.command('publisher').description('Accounts of publishers.');
  publisher
    .command('payout')
    .description('Pay a publisher. The same payout given twice is booked once.')
    .argument('<ID>', 'publisher, such as pub_sunrise or publisher:pub_sunrise')
    .argument('<AMOUNT>', 'decimal, above zero, at most 9 decimals, at most the balance')
    .requiredOption('--reference <REF>', 'unique name of the payout, such as the number of a transfer')
    .action((id: string, amount: string, options: { readonly reference: string }, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const body = { amount, reference: options.reference };
        const params = { path: { id }, header: onceOnly() };
        const booked = await answerOf(client.POST('/publishers/{id}/payouts', { params, body }));
        io.out(bookingText({ what: 'paid', account: id, ...body }, booked));
      }),
    );
}
