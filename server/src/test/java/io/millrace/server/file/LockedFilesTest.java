package io.millrace.server.file;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LockedFilesTest
{
    @Test
    void shouldTakeAFileOnceUntilItIsGivenBack()
    {
        final Path file = Path.of("/nowhere/a.lock");
        final Properties before = (Properties)System.getProperties().clone();
        for (int round = 0; round < 2; round++)
        {
            assertTrue(LockedFiles.add(file));
            assertFalse(LockedFiles.add(Path.of("/nowhere/a.lock")));
            assertTrue(LockedFiles.add(Path.of("/nowhere/b.lock")));
            LockedFiles.remove(file);
            LockedFiles.remove(file);
            LockedFiles.remove(Path.of("/nowhere/b.lock"));
            assertEquals(before, System.getProperties());
        }
    }
}
