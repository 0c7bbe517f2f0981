package io.millrace.engine.planted;

import java.util.List;

/** The bugs, each with a test that must fail. The first twenty and the order are those of the fault list. */
final class PlantedBugs
{
    static final List<PlantedBug> ALL = List.of(
        PlantedBug.of("skip the CRC check", "journal.RecordDescriptor",
            "journal.JournalImageTest#shouldDetectAndLocateAFlippedBit",
            "return checksum(view, offset, length, crc) == view.getInt(offset + CHECKSUM_OFFSET) ? length : 0;",
            "return length;"),
        PlantedBug.of("CRC without the sequence", "journal.RecordDescriptor",
            "journal.JournalImageTest#shouldCoverEveryBitOfARecordByItsChecksum",
            "view.updateChecksum(crc, offset + LENGTH_OFFSET, length - LENGTH_OFFSET);", """
            view.updateChecksum(crc, offset + LENGTH_OFFSET, SEQUENCE_OFFSET - LENGTH_OFFSET);
            view.updateChecksum(crc, offset + TIME_OFFSET, length - TIME_OFFSET);"""),
        PlantedBug.of("acknowledge before force", "journal.JournalWriter",
            "journal.CommitGateTest#shouldNeverAnswerWhatCouldNotBeForced",
            "        write();\n        if (durability.isForced())",
            "        write();\n        committed.setRelease(appended);\n        if (durability.isForced())"),
        PlantedBug.of("ignore a short write", "journal.JournalWriter",
            "journal.JournalFaultTest#shouldWriteEachRestOfAShortWrite",
            "while (buffer.hasRemaining())", "if (buffer.hasRemaining())"),
        PlantedBug.of("retry a failed force", "journal.JournalWriter",
            "journal.JournalFaultTest#shouldLoseNothingCommittedWhenAnOperationFails",
            "            segment.file.force();", """
            try
            {
                segment.file.force();
            }
            catch (final IOException again)
            {
                segment.file.force();
            }"""),
        PlantedBug.of("forget the directory force after the rename of a segment", "journal.SegmentPreparation",
            "journal.ForceOrderTest#shouldForceFilesBeforeTheirRenamesAndTheDirectoryAfterThem",
            "files.rename(temporary, path);\n        files.forceDirectory(directory.path());",
            "files.rename(temporary, path);"),
        PlantedBug.of("forget the directory force after the rename of a snapshot", "journal.Snapshots",
            "journal.ForceOrderTest#shouldForceFilesBeforeTheirRenamesAndTheDirectoryAfterThem",
            "        files.forceDirectory(directory);\n        damaged.remove(", "        damaged.remove("),
        PlantedBug.of("truncate the wrong segment when rolling", "journal.JournalDirectory",
            "journal.SnapshotTest#shouldKeepTheNewestFewAndRecycleWhatOnlyOlderOnesNeed",
            "? oldest.path :", "? full.getLast().path :"),
        PlantedBug.of("delete the last segment at the start", "journal.JournalStart",
            "journal.JournalTest#shouldRecoverTheStateAfterItsCloseAndAfterAKill",
            "else if (last == null || segment.id() > last.id())",
            "else if (last == null || segment.id() >= last.id())"),
        PlantedBug.of("replay drops the last record", "journal.JournalReader",
            "journal.JournalTest#shouldRecoverTheStateAfterItsCloseAndAfterAKill",
            "            if (length > 0 && ",
            "            if (length > 0 && (index + 1 < used.size() || input.record(position + length) > 0) && "),
        PlantedBug.of("replay twice over a snapshot's edge", "journal.Recovery",
            "journal.SnapshotTest#shouldRecoverToASnapshotThatIsTheEnd",
            "snapshot.sequence() + 1;", "snapshot.sequence();"),
        PlantedBug.of("snapshot forgets untriggered stops", "engine.book.BookSnapshot",
            "engine.book.BookSnapshotTest#shouldKeepEveryKindOfOrder",
            "stops = copyQueue(resting, resting.stops.queue(), bids + asks) - bids - asks;", "stops = 0;"),
        PlantedBug.of("snapshot forgets adjustment ids", "engine.risk.RiskSnapshot",
            "engine.service.EngineSnapshotTest#shouldContinueAsTheOriginalEngine",
            "users.set(row, USER_LAST_ADJUSTMENT, ledger.users.get(user, Ledger.LAST_ADJUSTMENT));",
            "users.set(row, USER_LAST_ADJUSTMENT, 0);"),
        PlantedBug.of("FIFO swapped within a level", "engine.book.Matcher",
            "engine.book.OrderBookTest#shouldTradeTheOldestFirstAtOnePrice",
            "final int maker = arena.next(arena.queue(level));\n        final long[] rows",
            "final int maker = arena.previous(arena.queue(level));\n        final long[] rows"),
        PlantedBug.of("taker's price instead of maker's", "engine.book.Matcher",
            "engine.book.OrderBookTest#shouldTradeAtTheMakersPrice",
            "            filled += tradeWithBest(side, orderId, uid, reservePrice, size - filled);",
            "            takerKey = limitKey;\n" +
            "            filled += tradeWithBest(side, orderId, uid, reservePrice, size - filled);",
            "    private long tradeWithBest(", "    private long takerKey;\n\n    private long tradeWithBest(",
            "            (byte)side, traded == takerOpen, price, traded,",
            "            (byte)side, traded == takerOpen, PriceLadder.key(makerSide, takerKey), traded,"),
        PlantedBug.of("reduce loses priority", "engine.book.LimitFastPath",
            "engine.book.OrderBookCommandTest#shouldKeepThePlaceOfAnOrderThatIsReduced",
            "            rows[row + OrderArena.SIZE] -= reduceBy;", """
                rows[row + OrderArena.SIZE] -= reduceBy;
                arena.unlink(h);
                arena.append(ladder.queue((int)offset), h);"""),
        PlantedBug.of("move keeps priority", "engine.book.LimitFastPath",
            "engine.book.OrderBookCommandTest#shouldLoseThePriorityByAMoveToTheSamePrice",
            "        final int extras = this.extras;\n", """
            if (newPrice == oldPrice)
            {
                return true;
            }
            final int extras = this.extras;
            """),
        PlantedBug.of("fee on the wrong side", "engine.risk.SpotRisk",
            "engine.risk.RiskPropertyTest#shouldMatchTheReferenceOverAHundredThousandCommands",
            "final long takerPays = takerFee * size;\n        final long makerPays = makerFee * size;",
            "final long takerPays = makerFee * size;\n        final long makerPays = takerFee * size;"),
        PlantedBug.of("reserve released twice on cancel", "engine.risk.SpotRisk",
            "engine.risk.RiskPropertyTest#shouldMatchTheReferenceOverAHundredThousandCommands",
            "ledger.release(ledger.account(user, reserveCurrency(side)), reserved, reserved);",
            "ledger.release(ledger.account(user, reserveCurrency(side)), reserved, 2 * reserved);"),
        PlantedBug.of("event released before the handler returns", "server.pipeline.SpscPipeline",
            "server.pipeline.SpscRingPoolPipelineTest#shouldKeepAnEventUntilItsHandlerReturns",
            "                final long stamp = event.stamp();\n",
            "                final long stamp = event.stamp();\n                event.releasePassed(stamp);\n"),
        PlantedBug.of("event released twice", "server.pipeline.DisruptorSubscription",
            "server.pipeline.DisruptorPipelineTest#shouldKeepARetainedEventUntilItIsReleased",
            "            event.releasePassed(stamp);",
            "            event.releasePassed(stamp);\n            event.release(stamp);"),
        PlantedBug.of("fan-out count one too low", "server.pipeline.DisruptorPipeline",
            "server.pipeline.DisruptorScenarioTest#shouldNotRecycleAnEventThatTheSecondConsumerHasNotSeen",
            "event.passOn(stages);", "event.passOn(Math.max(1, stages - 1));"),

        PlantedBug.of("segment prepared but not forced", "journal.SegmentPreparation",
            "journal.ForceOrderTest#shouldForceFilesBeforeTheirRenamesAndTheDirectoryAfterThem",
            "        file.force();\n", ""),
        PlantedBug.of("follower's snapshot one record short", "journal.SnapshotFollower",
            "journal.SnapshotFollowerTest#shouldBuildSnapshotsFromFullSegmentsThatRecoveryTakes",
            "journal.writeSnapshot(copy, sequence);", "journal.writeSnapshot(copy, sequence + 1);"),
        PlantedBug.of("gate that looks at the wrong position", "journal.CommitGate",
            "journal.CommitGateTest#shouldNeverAnswerWhatCouldNotBeForced",
            "        committed = journal.committedSequence();", "        committed = journal.appendedSequence();"),
        PlantedBug.of("sequence reset after a restart", "journal.JournalWriter",
            "journal.JournalTest#shouldPublishNothingInReplayAndGoOnBehindIt",
            "appended = end.sequence();", "appended = 0;"),
        PlantedBug.of("recovery that lets one answer out", "journal.Recovery",
            "journal.JournalTest#shouldPublishNothingInReplayAndGoOnBehindIt",
            "            handler.onEvent(event, reader.sequence(), true);", """
            if (replayed == 100)
            {
                handler.onReplayEnd();
            }
            handler.onEvent(event, reader.sequence(), true);
            handler.onReplayStart();"""),

        PlantedBug.of("stale record of an earlier use of a segment", "journal.RecordDescriptor",
            "journal.JournalImageTest#shouldNeverReplayATornFirstBatchOfAPreparedSegment",
            "view.getInt(offset + SEGMENT_OFFSET) != segmentId || type != EVENT && type != SKIP",
            "type != EVENT && type != SKIP"),
        PlantedBug.of("short read taken for the end", "journal.FileBytes",
            "journal.JournalFaultTest#shouldRefuseToStartWhenAReadFailsOrIsShort",
            "            if (read <= 0)\n            {",
            "            if (read <= 0)\n            {\n                if (true)\n                {\n" +
            "                    return;\n                }"),
        PlantedBug.of("damage in the middle taken for a torn tail", "journal.JournalReader",
            "journal.JournalImageTest#shouldDetectAndLocateAFlippedBit",
            "            if (committed > sequence)\n            {\n                throw damaged(committed, \"record",
            "            if (committed < 0)\n            {\n                throw damaged(committed, \"record"),
        PlantedBug.of("segment recycled that the oldest snapshot needs", "journal.JournalDirectory",
            "journal.SnapshotTest#shouldKeepEveryRecordThatASnapshotNeeds",
            "oldest.lastSequence < retainFrom", "oldest.lastSequence <= retainFrom"),

        PlantedBug.of("order leaves the book and not its user's list", "engine.book.LimitFastPath",
            "engine.book.UserOrdersTest#shouldCancelAndListExactlyTheOrdersOfTheUser",
            "            users.remove(h);\n", ""),
        PlantedBug.of("mass cancel in the order of the list", "engine.book.UserOrders",
            "engine.book.UserOrdersTest#shouldCancelAndListExactlyTheOrdersOfTheUser",
            "        if (!isSorted(bucket))", "        if (bucket < 0)"),
        PlantedBug.of("snapshot forgets trade ids", "engine.book.BookRestorer",
            "engine.service.EngineSnapshotTest#shouldContinueAsTheOriginalEngine",
            "        resting.lastTradeId(snapshot.lastTradeId());\n", ""),
        PlantedBug.of("rest beyond the price band", "engine.book.TradeBand",
            "engine.book.PriceBandTest#shouldKeepEveryTradeInTheBand",
            "> worstKeys[side] || exceeds(side, price);", "> worstKeys[side];"));

    private PlantedBugs()
    {
    }
}
