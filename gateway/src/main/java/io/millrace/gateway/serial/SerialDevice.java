package io.millrace.gateway.serial;

import io.millrace.gateway.SystemCommand;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens a character device or a file for reading, and knows whether the path still means the same device. Off the hot
 * path: everything here allocates and waits.
 */
final class SerialDevice
{
    private static final int FILE_TYPE_MASK = 0xF000;
    private static final int CHARACTER_DEVICE = 0x2000;
    private static final int REGULAR_FILE = 0x8000;
    private static final Pattern SPEED = Pattern.compile("speed (\\d+) baud");
    /** Signal 1, SIGHUP, is the lowest bit. */
    private static final Pattern IGNORED_SIGNALS = Pattern.compile("SigIgn:\\s*(\\p{XDigit}+)");
    /** What a read-back must have: no lines, echo or translation by the system, and reads that never wait. */
    private static final String[] RAW = {"-icanon", "-echo", "-icrnl", "-ixon", "-isig", "min = 0", "time = 0"};

    private final Path path;
    private final int baud;
    private String identity = "";
    private String settings = "";
    private boolean isFile;

    SerialDevice(final Path path, final int baud)
    {
        this.path = path;
        this.baud = baud;
    }

    /** A channel at the device's next byte, or at the file's first one. */
    FileChannel open() throws IOException
    {
        final String newIdentity = readIdentity();
        final int type = (Integer)Files.getAttribute(path, "unix:mode") & FILE_TYPE_MASK;
        isFile = type == REGULAR_FILE;
        if (type == CHARACTER_DEVICE)
        {
            checkSession();
            settings = setRaw();
        }
        else if (isFile)
        {
            settings = "regular file";
        }
        else
        {
            throw new IOException(path + " is neither a character device nor a regular file");
        }
        final FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        identity = newIdentity;
        return channel;
    }

    /**
     * The JDK opens without O_NOCTTY. So a terminal that is opened by the leader of a session without one, as services
     * and containers start their program, becomes the session's, and when it hangs up, SIGHUP ends the JVM. Not if the
     * signal is ignored, as after {@code nohup}.
     */
    private void checkSession() throws IOException
    {
        final String stat = Files.readString(Path.of("/proc/self/stat"));
        // After the name: state, parent, group, session, terminal.
        final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        final boolean leads = fields[3].equals(stat.substring(0, stat.indexOf(' '))) && fields[4].equals("0");
        final Matcher ignored = IGNORED_SIGNALS.matcher(Files.readString(Path.of("/proc/self/status")));
        if (leads && ignored.find() && (Long.parseUnsignedLong(ignored.group(1), 16) & 1) == 0)
        {
            throw new IOException("this JVM leads a session without a terminal: if " + path + " hangs up, SIGHUP ends" +
                " the JVM; start it by nohup");
        }
    }

    /**
     * {@code stty} opens the device without waiting for a carrier, and {@code clocal} makes the JDK, which cannot do
     * that, not wait for one either.
     */
    private String setRaw() throws IOException
    {
        final String device = path.toString();
        SystemCommand.run("stty", "-F", device, "raw", "-echo", "min", "0", "time", "0", "clocal");
        if (baud != 0)
        {
            SystemCommand.run("stty", "-F", device, Integer.toString(baud));
        }
        final String text = SystemCommand.run("stty", "-F", device, "-a");
        for (final String wanted : RAW)
        {
            if (!Pattern.compile("(^|[\\s;])" + Pattern.quote(wanted) + "([\\s;]|$)").matcher(text).find())
            {
                throw new IOException(path + " did not become raw: \"" + wanted + "\" is not in " + text);
            }
        }
        final Matcher speed = SPEED.matcher(text);
        final String obtained = speed.find() ? speed.group(1) : "?";
        if (baud != 0 && !obtained.equals(Integer.toString(baud)))
        {
            throw new IOException(path + ": asked for " + baud + " baud, it reads " + obtained);
        }
        return "raw -echo min 0 time 0, " + obtained + " baud";
    }

    /** Whether the path no longer means the device that was opened. A pseudo-terminal that is closed vanishes. */
    boolean isGone()
    {
        try
        {
            return !readIdentity().equals(identity);
        }
        catch (final IOException ex)
        {
            return true;
        }
    }

    /** Whether a file was emptied or cut before the place where it is read. */
    boolean isShorter(final FileChannel channel) throws IOException
    {
        return isFile && channel.size() < channel.position();
    }

    /** A new device may have the number of the old one; it has another time of change. */
    private String readIdentity() throws IOException
    {
        final Map<String, Object> now = Files.readAttributes(path, "unix:dev,ino,rdev,ctime");
        final boolean isDevice = (Long)now.get("rdev") != 0;
        // The change time of a file that grows is another one each time.
        return now.get("dev") + " " + now.get("ino") + (isDevice ? " " + now.get("rdev") + " " + now.get("ctime") : "");
    }

    Path path()
    {
        return path;
    }

    String settings()
    {
        return settings;
    }
}
