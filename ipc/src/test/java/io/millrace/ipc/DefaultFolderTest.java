package io.millrace.ipc;

import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The folder of an exchange whose context has none. */
@Timeout(60)
class DefaultFolderTest
{
    @ParameterizedTest
    @ValueSource(strings = {"jane", "jane.doe@example.org"})
    void shouldHaveTheNameOfTheUser(final String name) throws Exception
    {
        assertEquals(List.of("millrace-" + name), folder(name));
    }

    /** As in a container whose user is a bare number: the JDK's name of each such user is a question mark. */
    @Test
    void shouldHaveTheNumberOfAUserWithoutAName() throws Exception
    {
        // In this test the user may have a name: what the system says of the process.
        assertEquals(List.of("millrace-" + ExchangeFiles.self().getName()), folder("?"));
    }

    private static List<String> folder(final String user) throws Exception
    {
        return Children.jvm(ChildJvm.JDK).flags("-Duser.name=" + user).lines(Folder.class);
    }

    /** Prints the last part of the folder. */
    static final class Folder
    {
        private Folder()
        {
        }

        public static void main(final String[] arguments)
        {
            System.out.println(new ExchangeContext("t").file().getParent().getFileName());
        }
    }
}
