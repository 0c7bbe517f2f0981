package io.millrace.exchange.fix;

/** FIX messages without a library: only the frame is right. */
public final class RawFix
{
    private RawFix()
    {
    }

    /** The body with BeginString, BodyLength and CheckSum. */
    public static String message(final String body)
    {
        final String text = "8=FIX.4.4\0019=" + body.length() + "\001" + body;
        return text + String.format("10=%03d\001", text.chars().sum() & 0xFF);
    }
}
