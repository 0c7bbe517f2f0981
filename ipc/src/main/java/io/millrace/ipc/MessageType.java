package io.millrace.ipc;

/**
 * Types of requests, 0 to 65,535. Applications use {@link #NORMAL} and the numbers from {@link #APP_START}.
 */
public final class MessageType
{
    /** A request without a type of its own. */
    public static final int NORMAL = 0;
    /** Answered at once with an empty response, not by the handler: shows that the serving thread works. */
    public static final int HEARTBEAT = 1;
    /** Asks for the next part of a response that is longer than a slot. */
    static final int FETCH = 2;
    /** First type of an application. */
    public static final int APP_START = 128;
    /** Greatest type. */
    public static final int MAX = 0xFFFF;

    private MessageType()
    {
    }

    static int checkApplication(final int type)
    {
        if (type != NORMAL && type != HEARTBEAT && (type < APP_START || type > MAX))
        {
            throw new IllegalArgumentException("type " + type + " is not " + NORMAL + ", " + HEARTBEAT + " or in " +
                APP_START + ".." + MAX);
        }
        return type;
    }
}
