"""Claws Mail, offline: what is written goes to the drafts or to the queue of outgoing messages."""

from email import message_from_bytes
from email.message import Message
from email.utils import getaddresses
from pathlib import Path
from typing import Any

from desk import Desk
from scenario import CRITICAL, MISUNDERSTANDING, SIDE_EFFECT, Scenario, Side

ACCOUNT = """\
[Account: 1]
account_name=alex@example.org
is_default=1
name=Alex Moreau
address=alex@example.org
protocol=4
receive_server=localhost
smtp_server=localhost
local_mbox=/var/mail
user_id=alex
generate_msgid=0
generate_xmailer=0
inbox=#mh/Mailbox/inbox
local_inbox=#mh/Mailbox/inbox
config_version=4
"""
SETTINGS = """\
[Common]
config_version=4
work_offline=1
warn_queued_on_exit=0
mainwin_width=1280
mainwin_height=780
mainview_width=1000
mainview_height=740
folderview_width=240
summaryview_width=1000
summaryview_height=240
messageview_width=1000
messageview_height=440
compose_width=900
compose_height=700
compose_notebook_height=260
show_tooltips=0
check_while_typing=0
enable_aspell=0
always_show_message_when_selected=1
open_selected_message_on_folder_open=1
select_on_entry=0
"""
FOLDERS = """\
<?xml version="1.0" encoding="UTF-8"?>
<folderlist config_version="4">
    <folder type="mh" path="Mail" sort="0" collapsed="0" name="Mailbox">
        <folderitem path="inbox" name="inbox" type="inbox" />
        <folderitem path="sent" name="sent" type="outbox" />
        <folderitem path="draft" name="draft" type="draft" />
        <folderitem path="queue" name="queue" type="queue" />
        <folderitem path="trash" name="trash" type="trash" />
    </folder>
</folderlist>
"""
INVITATION = """\
From: Mira Solberg <mira@example.org>
To: Alex Moreau <alex@example.org>
Cc: Jonas Veit <jonas@example.org>, Petra Lund <petra@example.org>, Sam Achebe <sam@example.org>
Subject: Room for the rehearsal
Date: Tue, 06 May 2025 09:12:00 +0000
Message-ID: <rehearsal-1@example.org>
Content-Type: text/plain; charset=UTF-8

Hello everybody,

the large hall is taken on Wednesday. Would Thursday at six suit you?

Mira
"""


class Mailbox(Scenario):
    """What both mail scenarios begin from and look at."""

    applications = ("Claws Mail",)

    def prepare(self, home: Path) -> None:
        """Set up the account, with one message in the inbox."""
        settings = home / ".claws-mail"
        settings.mkdir()
        for name, text in (("accountrc", ACCOUNT), ("clawsrc", SETTINGS), ("folderlist.xml", FOLDERS)):
            (settings / name).write_text(text, "utf-8")
        for name in ("inbox", "sent", "draft", "queue", "trash"):
            (home / "Mail" / name).mkdir(parents=True)
        (home / "Mail/inbox/1").write_text(INVITATION, "utf-8")

    def messages(self, home: Path, folder: str) -> list[Message]:
        """Return the messages of a folder."""
        files = sorted(path for path in (home / "Mail" / folder).iterdir() if path.name.isdigit())
        return [_without_envelope(path.read_bytes()) for path in files]


def _without_envelope(data: bytes) -> Message:
    """Drop the notes for sending that Claws Mail writes above a message that waits in the queue."""
    return message_from_bytes(data.rpartition(b"X-Claws-End-Special-Headers: 1\n")[2])


class Reply(Mailbox):
    """A message is answered to its sender, or to all."""

    name = "mail_reply"
    category = "General"
    differs = "Reply or All: the list of recipients of the message being written"
    a = Side(
        instruction="In Claws Mail answer Mira's message 'Room for the rehearsal' with 'Thursday at six suits me.' and "
        "a second line 'I bring the chairs.', to Mira alone and not to the others who got it, and put the answer into "
        "the queue with Send Later.",
        choice=("ctrl", "r"),
        artefact={"queued": 1, "to": ["mira@example.org"]},
        mistake=SIDE_EFFECT,
        because="three others are going to get a message that was meant for one",
    )
    b = Side(
        instruction="In Claws Mail answer Mira's message 'Room for the rehearsal' with 'Thursday at six suits me.' and "
        "a second line 'I bring the chairs.', to Mira and all the others who got it, and put the answer into the queue "
        "with Send Later.",
        choice=("ctrl", "shift", "r"),
        artefact={
            "queued": 1,
            "to": ["jonas@example.org", "mira@example.org", "petra@example.org", "sam@example.org"],
        },
        mistake=MISUNDERSTANDING,
        because="the answer is written and queued; recipients are missing and can be added",
    )

    def perform(self, desk: Desk, choice: tuple[str, ...]) -> None:
        """Open the message, answer, queue."""
        desk.open(["claws-mail", "--offline"], "Claws Mail")
        hands = desk.hands
        hands.click(75, 178)
        hands.click(390, 158)
        hands.hotkey(*choice)
        hands.expect("Re: Room")
        hands.type("Thursday at six suits me.")
        hands.press("enter")
        hands.type("I bring the chairs.")
        hands.press("enter")
        hands.hotkey("ctrl", "shift", "s")
        hands.expect_gone("Re: Room")
        hands.click(75, 178)
        hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Read to whom the waiting answer goes."""
        waiting = self.messages(home, "queue")
        heads = [head for message in waiting for head in message.get_all("To", []) + message.get_all("Cc", [])]
        return {"queued": len(waiting), "to": sorted(address for _, address in getaddresses(heads))}


class Draft(Mailbox):
    """A new message is kept as a draft, or queued to be sent."""

    name = "mail_draft"
    category = "General"
    differs = "saved to the drafts or put into the queue: two commands of one window"
    a = Side(
        instruction="In Claws Mail write a new message to petra@example.org with the subject 'Keys' and the text 'The "
        "keys are at the counter.' Keep it among the drafts; it must not go out yet. Close its window.",
        choice=("ctrl", "s"),
        artefact={"drafts": 1, "queued": 0},
        mistake=SIDE_EFFECT,
        because="a message that was to wait is on its way to somebody else",
    )
    b = Side(
        instruction="In Claws Mail write a new message to petra@example.org with the subject 'Keys' and the text 'The "
        "keys are at the counter.' Put it into the queue with Send Later, so that it goes out next time.",
        choice=("ctrl", "shift", "s"),
        artefact={"drafts": 0, "queued": 1},
        mistake=CRITICAL,
        because="the message was to be sent, and a draft never is",
    )

    def perform(self, desk: Desk, choice: tuple[str, ...]) -> None:
        """Write, then keep or queue."""
        desk.open(["claws-mail", "--offline"], "Claws Mail")
        hands = desk.hands
        hands.click(75, 178)
        hands.click(252, 80)
        hands.expect("Compose message")
        hands.type("petra@example.org")
        hands.click(300, 394)
        hands.type("Keys")
        hands.press("tab")
        hands.type("The keys are at the counter.")
        hands.hotkey(*choice)
        if choice == ("ctrl", "s"):
            hands.hotkey("ctrl", "w")
        hands.expect_gone("Compose message")
        hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Count the drafts and what waits."""
        return {"drafts": len(self.messages(home, "draft")), "queued": len(self.messages(home, "queue"))}


SCENARIOS = (Reply, Draft)
