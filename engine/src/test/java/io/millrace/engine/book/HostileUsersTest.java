package io.millrace.engine.book;

import io.millrace.engine.risk.RiskEngine;
import io.millrace.engine.risk.RiskLimits;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** Users whose numbers share one bucket: the index, which is the same as for orders, finds them in as few steps. */
class HostileUsersTest
{
    private static final int USERS = RiskLimits.DEFAULT_USERS;

    @Test
    void shouldFindUsersWithCollidingNumbers()
    {
        final RiskEngine risk = new RiskEngine(new RiskLimits());
        final long[] uids = CollidingIds.of(USERS, USERS);
        for (int i = 0; i < USERS; i++)
        {
            assertEquals(CommandResult.SUCCESS, risk.addUser(uids[i]));
            assertEquals(CommandResult.SUCCESS, risk.adjustBalance(uids[i], 1, i, 1));
        }
        assertEquals(CommandResult.USERS_FULL, risk.addUser(0));
        for (int i = 0; i < USERS; i += 2)
        {
            assertEquals(CommandResult.SUCCESS, risk.adjustBalance(uids[i], 1, -i, 2));
            assertEquals(CommandResult.SUCCESS, risk.suspendUser(uids[i]));
        }
        for (int i = 0; i < USERS; i++)
        {
            assertEquals(i % 2 == 0, risk.user(uids[i]) == RiskEngine.NONE);
        }
        assertNotEquals(0, risk.stateHash());
        risk.verify();
    }
}
