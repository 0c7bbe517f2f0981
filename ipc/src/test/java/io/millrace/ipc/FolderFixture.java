package io.millrace.ipc;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import java.io.IOException;
import java.nio.file.Path;

/** A folder for the exchanges of each test. What a subclass ends after its tests is ended before the folder goes. */
abstract class FolderFixture
{
    Path directory;

    @BeforeEach
    final void createFolder() throws IOException
    {
        directory = Pair.folder();
    }

    @AfterEach
    final void deleteFolder() throws IOException
    {
        Pair.delete(directory);
    }
}
